import { Fault, resizeAttributes, upgradeAttributes } from '@jeroboam/domain';
import { resizeCluster } from '../../clusters/resize.ts';
import { upgradeCluster } from '../../clusters/upgrade.ts';
import type { Operation } from '../operation.ts';

/** Upgrades were announced one microversion before they worked. */
const upgradeMinor = 8;

export const actionOperations: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/clusters/:cluster/actions/resize',
    tag: 'actions',
    summary: 'Resize a node group, or the control plane where the driver can',
    rule: 'cluster:resize',
    since: { minor: 7, word: 'resize' },
    body: { kind: 'object', table: resizeAttributes },
    answers: { status: 202, description: 'Accepted.', schema: { kind: 'uuid' } },
    handle: async ({ services, caller, params, body, minor }) => ({
      status: 202,
      body: { uuid: await resizeCluster(services, caller, params['cluster'] ?? '', body, minor) },
    }),
  },
  {
    method: 'POST',
    path: '/v1/clusters/:cluster/actions/upgrade',
    tag: 'actions',
    summary: 'Upgrade a cluster to another template',
    rule: 'cluster:upgrade',
    since: { minor: 7, word: 'upgrade' },
    body: { kind: 'object', table: upgradeAttributes },
    answers: { status: 202, description: 'Accepted.', schema: { kind: 'uuid' } },
    handle: async ({ services, caller, params, body, minor }) => {
      if (minor < upgradeMinor)
        throw new Fault('not_supported', 'Cluster upgrade is not supported in the provided microversion.');
      return {
        status: 202,
        body: { uuid: await upgradeCluster(services, caller, params['cluster'] ?? '', body) },
      };
    },
  },
];
