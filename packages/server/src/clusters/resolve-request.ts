import {
  clusterAsSource,
  clusterRequest,
  clusterTemplateAsSource,
  isDeleting,
  magnumClusterRequest,
  requestedGroups,
  resolveCluster,
  withGroups,
  type ClusterDraft,
  type Fault,
  type Parsed,
  type RequestedGroups,
  type ResolvedCluster,
  type ResolveSettings,
  type Values,
} from '@jeroboam/domain';
import type { ServerOptions } from '../options.ts';
import type { Sources } from '../sources/read.ts';
import type { ClusterWithGroups, TemplateWithGroups } from '../store/index.ts';

const asValues = (row: object): Values => row as Values;

/** A template, with what its node-group templates say. */
export const templateDraft = (template: TemplateWithGroups): ClusterDraft =>
  clusterTemplateAsSource(
    asValues(template),
    template.groups.map((group) => ({
      template: asValues(group),
      origin: { kind: 'nodegroup_template', uuid: group.uuid, name: group.name },
    })),
    { kind: 'cluster_template', uuid: template.uuid, name: template.name },
  );

/** A cluster that is cloned; groups that are being removed are no part of it any more. */
export const clusterDraft = (cluster: ClusterWithGroups): ClusterDraft =>
  clusterAsSource(
    asValues(cluster),
    cluster.groups.filter((group) => !isDeleting(group.status)).map(asValues),
    { kind: 'cluster', uuid: cluster.uuid, name: cluster.name },
  );

/** What there is before the request itself says anything. */
export const sourceDrafts = ({ template, cluster }: Sources): ClusterDraft[] => [
  ...(template === null ? [] : [templateDraft(template)]),
  ...(cluster === null ? [] : [clusterDraft(cluster)]),
];

/** The groups of a request with what each is made from; null when it names none. */
export function groupsOfRequest(parsed: Parsed, sources: Sources): RequestedGroups | null {
  const items = parsed['nodegroups'] as Parsed[] | null | undefined;
  if (items === null || items === undefined || sources.groups === null) return null;
  const { groups } = sources;
  return requestedGroups(items.map((item, index) => ({ item, source: groups[index] ?? null })));
}

export const resolveSettings = (options: ServerOptions): ResolveSettings => ({
  defaults: { network_driver: options.networkDrivers.default },
  defaultBootVolumeSize: options.defaultBootVolumeSize,
});

/** The whole cluster that a request means. */
export function resolveClusterRequest(
  parsed: Parsed,
  sources: Sources,
  extended: boolean,
  settings: ResolveSettings,
): ResolvedCluster & { problems: readonly Fault[] } {
  const said = extended ? clusterRequest(parsed) : magnumClusterRequest(parsed);
  const groups = groupsOfRequest(parsed, sources);
  const request = withGroups(said, groups, parsed['merge_nodegroups'] === true);
  const resolved = resolveCluster(sourceDrafts(sources), request, settings);
  return { ...resolved, problems: [...(groups?.problems ?? []), ...resolved.problems] };
}
