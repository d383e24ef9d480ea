import { readFileSync } from 'node:fs';
import type { DesiredCluster } from '@jeroboam/domain';
import type { KubeObject } from '@jeroboam/kubernetes';
import { plainCluster, plainGroup } from '../../../domain/test/driver-conformance/desired.ts';
import { ClusterCache } from '../../src/cache/cluster-cache.ts';
import type { ClusterObjects } from '../../src/cache/held.ts';
import { watchedKinds } from '../../src/cache/watched-kinds.ts';
import { devKinds } from '../../src/kinds.ts';
import { clusterLabel, nodeGroupLabel } from '../../src/markers.ts';

/** Moments in the life of one cluster of one master and two workers, as a real management cluster showed them. */
export type Moment = 'creating' | 'created' | 'growing' | 'upgrading' | 'upgraded' | 'deleting';

export interface Recording {
  live: ClusterObjects;
  /** The cluster as it was desired before `growing`. */
  cluster: DesiredCluster;
}

export const objectsAt = (moment: Moment): KubeObject[] =>
  JSON.parse(readFileSync(new URL(`../fixtures/${moment}.json`, import.meta.url), 'utf8')) as KubeObject[];

/** What the driver would know at a moment; objects can be changed on the way in. */
export function recorded(
  moment: Moment,
  change: (object: KubeObject) => KubeObject | null = (object) => object,
): Recording {
  const cache = new ClusterCache(() => undefined);
  const all = objectsAt(moment);
  for (const { kind, part, keep } of watchedKinds(devKinds))
    cache.listed(
      part,
      kind.kind,
      all
        .filter((object) => object.kind === kind.kind)
        .flatMap((object) => change(object) ?? [])
        .map(keep),
    );
  const root = all.find(({ kind }) => kind === 'Cluster');
  const uuid = root?.metadata.labels?.[clusterLabel] ?? '';
  const groupUuid = (kind: string): string =>
    all.find((object) => object.kind === kind)?.metadata.labels?.[nodeGroupLabel] ?? '';
  const cluster = plainCluster({
    uuid,
    name: 'tryout',
    stackId: root?.metadata.name ?? null,
    nodeGroups: [
      plainGroup('default-master', {
        uuid: groupUuid('KubeadmControlPlane'),
        role: 'master',
        isDefault: true,
      }),
      plainGroup('default-worker', { uuid: groupUuid('MachineDeployment'), isDefault: true, nodeCount: 2 }),
    ],
  });
  return { live: cache.of(uuid), cluster };
}
