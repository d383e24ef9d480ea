import type { Fault, Origins, ResolvedCluster } from '@jeroboam/domain';

/** What a request would make or change, where each attribute comes from, and what would be refused. */
export interface DryRun {
  dryRun: {
    resource: Record<string, unknown>;
    origins: Record<string, unknown>;
    refusals: { field: string | null; status: number; message: string }[];
  };
}

export const isDryRun = (result: object): result is DryRun => 'dryRun' in result;

export const dryRun = (
  resource: object,
  origins: Origins | Record<string, unknown>,
  refusals: readonly Fault[],
): DryRun => ({
  dryRun: {
    resource: { ...resource },
    origins: { ...origins },
    refusals: refusals.map(({ field, status, message }) => ({ field: field ?? null, status, message })),
  },
});

/** The dry run of a new cluster: it and all its groups. */
export function clusterDryRun(
  { spec, origins, groups, driver }: ResolvedCluster & { driver: string | null },
  refusals: readonly Fault[],
): DryRun {
  const nodes = groups.filter((group) => group.spec.role !== 'master').map((group) => group.spec.node_count);
  const resource = {
    ...spec,
    driver: driver ?? spec.driver,
    node_count: nodes.reduce((sum, count) => sum + count, 0),
    nodegroups: groups.map((group) => group.spec),
  };
  const ofGroups = Object.fromEntries(groups.map((group) => [group.spec.name, group.origins]));
  return dryRun(resource, { ...origins, nodegroups: ofGroups }, refusals);
}
