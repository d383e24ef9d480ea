import {
  Fault,
  groupField,
  invalidField,
  nodeGroupAsSource,
  nodeGroupTemplateAsSource,
  type Draft,
  type Parsed,
} from '@jeroboam/domain';
import type { Pool, PoolClient } from 'pg';
import { enforce, ownScope, wideScope } from '../access.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import {
  findNodeGroupTemplatesByIdents,
  findSourceNodeGroups,
  identKind,
  type ClusterWithGroups,
  type NodeGroupRow,
  type NodeGroupTemplateRow,
  type SourceNodeGroup,
  type TemplateWithGroups,
} from '../store/index.ts';
import { refuseDeleting, refuseHidden } from './refused.ts';

/** What one group is made from: a template or another group. */
export interface GroupSource {
  name: string | null;
  draft: Draft;
}

type Reader = Pool | PoolClient;

/** Where the groups of a request stand, so that short names can mean the nearest thing. */
interface Surroundings {
  template: TemplateWithGroups | null;
  cluster: ClusterWithGroups | null;
}

export const nodeGroupTemplateNotFound = (ident: string): Fault =>
  new Fault('not_found', `NodeGroupTemplate ${ident} could not be found.`, {
    field: 'nodegroup_template_id',
  });

export const ambiguousNodeGroupTemplate = (): Fault =>
  new Fault(
    'conflict',
    'Multiple NodeGroupTemplates exist with same name. Please use the NodeGroupTemplate uuid instead.',
    { field: 'nodegroup_template_id' },
  );

const sourceGroupNotFound = (ident: string): Fault =>
  new Fault('not_found', `Nodegroup ${ident} could not be found.`, { field: 'source_nodegroup' });

const ambiguousSourceGroup = (): Fault =>
  new Fault('conflict', 'Multiple clusters exist with same name. Please use the cluster uuid instead.', {
    field: 'source_nodegroup',
  });

export const groupTemplateAsSource = (template: NodeGroupTemplateRow): GroupSource => ({
  name: template.name,
  draft: nodeGroupTemplateAsSource(template, {
    kind: 'nodegroup_template',
    uuid: template.uuid,
    name: template.name,
  }),
});

export const groupAsSource = (group: NodeGroupRow): GroupSource => ({
  name: group.name,
  draft: nodeGroupAsSource(group, {
    kind: 'nodegroup',
    uuid: group.uuid,
    name: group.name,
  }),
});

const textOf = (item: Parsed, name: string): string | null =>
  (item[name] as string | null | undefined) ?? null;

/** `cluster/group`; names of groups may hold a slash, those of clusters never do. */
function pathOf(ident: string): { cluster: string; group: string } | null {
  const slash = ident.indexOf('/');
  return slash < 0 ? null : { cluster: ident.slice(0, slash), group: ident.slice(slash + 1) };
}

/** Reads what the groups of a request are made from: two statements at most, however many groups there are. */
export async function readGroupSources(
  reader: Reader,
  services: Services,
  caller: Caller,
  items: readonly Parsed[],
  around: Surroundings,
): Promise<(GroupSource | null)[]> {
  for (const item of items) {
    if (textOf(item, 'nodegroup_template_id') !== null && textOf(item, 'source_nodegroup') !== null) {
      const field = groupField(textOf(item, 'name') ?? '', 'source_nodegroup');
      const reason = 'Give either nodegroup_template_id or source_nodegroup, not both.';
      throw invalidField(field, item['source_nodegroup'], reason);
    }
  }
  const templates = await templatesOf(reader, services, caller, items, around);
  const groups = await groupsOf(reader, services, caller, items, around);
  return items.map((item) => {
    const [template, group] = [textOf(item, 'nodegroup_template_id'), textOf(item, 'source_nodegroup')];
    if (template !== null) return groupTemplateAsSource(templates(template));
    return group === null ? null : groupAsSource(groups(group));
  });
}

/** Reads the node-group templates that are named; the answer finds each by what it was called. */
async function templatesOf(
  reader: Reader,
  { options }: Services,
  caller: Caller,
  items: readonly Parsed[],
  { template: parent }: Surroundings,
): Promise<(ident: string) => NodeGroupTemplateRow> {
  const near = (ident: string): NodeGroupTemplateRow | undefined =>
    parent?.groups.find((group) => group.name === ident);
  const idents = items.flatMap((item) => textOf(item, 'nodegroup_template_id') ?? []);
  const far = idents.filter((ident) => near(ident) === undefined);
  if (idents.length > 0) enforce(options.policy, caller, 'nodegrouptemplate:get');
  const rows =
    far.length === 0
      ? []
      : await findNodeGroupTemplatesByIdents(
          reader,
          far.filter((ident) => identKind(ident) === 'uuid'),
          far.filter((ident) => identKind(ident) === 'name'),
          ownScope(caller),
        );
  return (ident) => {
    const nearest = near(ident);
    if (nearest !== undefined) return nearest;
    const byUuid = identKind(ident) === 'uuid';
    const [found, another] = rows.filter((row) => (byUuid ? row.uuid : row.name) === ident);
    if (found === undefined) throw nodeGroupTemplateNotFound(ident);
    if (another !== undefined) throw ambiguousNodeGroupTemplate();
    refuseHidden(found, caller, 'nodegroup_template_id');
    return found;
  };
}

/** Reads the node groups that are named; the answer finds each by what it was called. */
async function groupsOf(
  reader: Reader,
  { options }: Services,
  caller: Caller,
  items: readonly Parsed[],
  { cluster: source }: Surroundings,
): Promise<(ident: string) => NodeGroupRow> {
  const near = (ident: string): NodeGroupRow | undefined =>
    source?.groups.find((group) => group.name === ident || group.uuid === ident);
  const idents = items.flatMap((item) => textOf(item, 'source_nodegroup') ?? []);
  const far = idents.filter((ident) => near(ident) === undefined);
  if (idents.length > 0) enforce(options.policy, caller, 'nodegroup:get');
  const rows =
    far.length === 0
      ? []
      : await findSourceNodeGroups(
          reader,
          far.filter((ident) => identKind(ident) === 'uuid'),
          far.flatMap((ident) => pathOf(ident) ?? []),
          wideScope(options.policy, caller, 'nodegroup:get_one_all_projects'),
        );
  const isMeant = (row: SourceNodeGroup, ident: string): boolean => {
    const path = pathOf(ident);
    if (path === null) return row.uuid === ident;
    return (
      row.name === path.group && (row.cluster_name === path.cluster || row.cluster_uuid === path.cluster)
    );
  };
  return (ident) => {
    const nearest = near(ident);
    if (nearest !== undefined) return nearest;
    const [found, another] = rows.filter((row) => isMeant(row, ident));
    if (found === undefined) throw sourceGroupNotFound(ident);
    if (another !== undefined) throw ambiguousSourceGroup();
    refuseDeleting(found, 'Nodegroup', 'source_nodegroup');
    return found;
  };
}
