import { invalidField, type Parsed } from '@jeroboam/domain';
import type { Pool, PoolClient } from 'pg';
import { enforce, ownScope, wideScope } from '../access.ts';
import { findClusterWithGroups } from '../clusters/find.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import { inSnapshot, type ClusterWithGroups, type TemplateWithGroups } from '../store/index.ts';
import { findTemplateForUse, findTemplateWithGroups } from '../templates/find.ts';
import { readGroupSources, type GroupSource } from './groups.ts';
import { refuseDeleting, refuseHidden } from './refused.ts';

/** What a new cluster or template is made from, read as of one moment: a source that changes meanwhile cannot mix. */
export interface Sources {
  template: TemplateWithGroups | null;
  cluster: ClusterWithGroups | null;
  /** For each group of the request what it is made from; null when the request names no groups. */
  groups: readonly (GroupSource | null)[] | null;
}

type Reader = Pool | PoolClient;

/** A cluster as a source must be one that the caller may read. */
async function sourceCluster(
  reader: Reader,
  { options }: Services,
  caller: Caller,
  ident: string,
): Promise<ClusterWithGroups> {
  const scope = wideScope(options.policy, caller, 'cluster:get_one_all_projects');
  const cluster = await findClusterWithGroups(reader, ident, scope);
  enforce(options.policy, caller, 'cluster:get', cluster);
  refuseDeleting(cluster, 'Cluster', 'source_cluster');
  return cluster;
}

async function sourceTemplate(
  reader: Reader,
  { options }: Services,
  caller: Caller,
  ident: string,
): Promise<TemplateWithGroups> {
  const scope = wideScope(options.policy, caller, 'clustertemplate:get_one_all_projects');
  const template = await findTemplateWithGroups(reader, ident, scope);
  if (!template.public) enforce(options.policy, caller, 'clustertemplate:get', template);
  refuseHidden(template, caller, 'source_template');
  return template;
}

const text = (parsed: Parsed, name: string): string | null =>
  (parsed[name] as string | null | undefined) ?? null;

/** Names two sources at once: which one is meant nobody can know. */
function refuseTwo(parsed: Parsed, one: string, other: string): void {
  if (text(parsed, one) === null || text(parsed, other) === null) return;
  throw invalidField(other, text(parsed, other), `Give either ${one} or ${other}, not both.`);
}

/** Reads the sources that the request for a cluster names. */
export function readClusterSources(services: Services, caller: Caller, parsed: Parsed): Promise<Sources> {
  refuseTwo(parsed, 'cluster_template_id', 'source_cluster');
  const template = text(parsed, 'cluster_template_id');
  return read(services, caller, parsed, (reader) =>
    template === null ? Promise.resolve(null) : findTemplateForUse(reader, template, ownScope(caller)),
  );
}

/** Reads the sources that the request for a cluster template names. */
export function readTemplateSources(services: Services, caller: Caller, parsed: Parsed): Promise<Sources> {
  refuseTwo(parsed, 'source_template', 'source_cluster');
  const template = text(parsed, 'source_template');
  return read(services, caller, parsed, (reader) =>
    template === null ? Promise.resolve(null) : sourceTemplate(reader, services, caller, template),
  );
}

function read(
  services: Services,
  caller: Caller,
  parsed: Parsed,
  findTemplate: (reader: Reader) => Promise<TemplateWithGroups | null>,
): Promise<Sources> {
  return inSnapshot(services.store.pool, async (reader) => {
    const clusterIdent = text(parsed, 'source_cluster');
    const template = await findTemplate(reader);
    const cluster =
      clusterIdent === null ? null : await sourceCluster(reader, services, caller, clusterIdent);
    const items = (parsed['nodegroups'] as Parsed[] | null | undefined) ?? null;
    const groups =
      items === null ? null : await readGroupSources(reader, services, caller, items, { template, cluster });
    return { template, cluster, groups };
  });
}
