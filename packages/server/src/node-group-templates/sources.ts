import { invalidField, type Parsed } from '@jeroboam/domain';
import { enforce, ownScope } from '../access.ts';
import { Given } from '../given.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import { readGroupSources, type GroupSource } from '../sources/groups.ts';
import { inSnapshot, type TemplateWithGroups } from '../store/index.ts';
import { findTemplateWithGroups } from '../templates/find.ts';

/** What a new node-group template is part of and made from, read as of one moment. */
export interface NodeGroupTemplateSources {
  parent: TemplateWithGroups | null;
  source: GroupSource | null;
}

/** `within` is the cluster template of the path; without one the body may name it. */
export function readSources(
  services: Services,
  caller: Caller,
  parsed: Parsed,
  within: string | null,
): Promise<NodeGroupTemplateSources> {
  const given = new Given(parsed);
  const group = given.text('source_nodegroup');
  const template = given.text('source_nodegroup_template');
  if (group !== null && template !== null) {
    const reason = 'Give either source_nodegroup_template or source_nodegroup, not both.';
    throw invalidField('source_nodegroup', group, reason);
  }
  const named = given.text('cluster_template_id');
  const ident = within ?? named;
  return inSnapshot(services.store.pool, async (reader) => {
    const parent = ident === null ? null : await findTemplateWithGroups(reader, ident, ownScope(caller));
    if (parent !== null) enforce(services.options.policy, caller, 'clustertemplate:update', parent);
    if (
      parent !== null &&
      named !== null &&
      named !== ident &&
      named !== parent.uuid &&
      named !== parent.name
    )
      throw invalidField('cluster_template_id', named, 'The path names another cluster template.');
    const item = { nodegroup_template_id: template, source_nodegroup: group };
    const around = { template: parent, cluster: null };
    const [source] = await readGroupSources(reader, services, caller, [item], around);
    return { parent, source: source ?? null };
  });
}
