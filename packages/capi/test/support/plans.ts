import type { DesiredCluster } from '@jeroboam/domain';
import type { ClusterObjects } from '../../src/cache/held.ts';
import { inMemoryInfrastructure } from '../../src/infrastructure/in-memory.ts';
import { planCluster, type PlanInput } from '../../src/plan/plan-cluster.ts';
import type { Plan } from '../../src/plan/plan.ts';

export const infrastructure = inMemoryInfrastructure();

/** All groups at the version of the cluster, or at their own. */
export const versionsOf = (cluster: DesiredCluster): Map<string, string> =>
  new Map(
    cluster.nodeGroups.map(({ name, kubernetesVersion }) => [
      name,
      kubernetesVersion ?? cluster.kubernetesVersion ?? 'v1.35.4',
    ]),
  );

export const planOf = (cluster: DesiredCluster, live: ClusterObjects, more: Partial<PlanInput> = {}): Plan =>
  planCluster({
    cluster,
    live,
    wanted: versionsOf(cluster),
    infrastructure,
    nodesToRemove: [],
    maxBatchSize: null,
    ...more,
  });

/** What a plan applies, as kind and name. */
export const applied = (plan: Plan): string[] =>
  plan.apply.map(({ kind, object }) => `${kind.kind} ${object.metadata.name}`);
