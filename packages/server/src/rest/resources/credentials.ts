import { Fault } from '@jeroboam/domain';
import { enforce, ownScope } from '../../access.ts';
import { acceptChange } from '../../clusters/accept.ts';
import { driverOf } from '../../clusters/driver-of.ts';
import { findCluster } from '../../clusters/find.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';

const rotatable = new Set([
  'CREATE_COMPLETE',
  'UPDATE_COMPLETE',
  'RESUME_COMPLETE',
  'RESTORE_COMPLETE',
  'ROLLBACK_COMPLETE',
  'SNAPSHOT_COMPLETE',
  'CHECK_COMPLETE',
  'ADOPT_COMPLETE',
  'UPDATE_IN_PROGRESS',
  'UPDATE_FAILED',
]);

/** Gives a cluster new credentials for the cloud, in the name of whoever asks. */
async function rotate({ services, caller, params }: RequestContext): Promise<Answer> {
  const { options } = services;
  const cluster = await findCluster(services.store.pool, params['cluster'] ?? '', ownScope(caller));
  enforce(options.policy, caller, 'credential:rotate', cluster);
  if (!driverOf(options.drivers, cluster).capabilities.rotateCredential) {
    throw new Fault('not_supported', 'Credential rotation is not supported by driver.');
  }
  if (!rotatable.has(cluster.status)) {
    throw new Fault(
      'operation_refused',
      `Rotating credentials of a cluster when status is "${cluster.status}" is not supported.`,
    );
  }
  await acceptChange(services, cluster, () => Promise.resolve({ user_id: caller.userId }), {
    kind: 'rotate-credential',
  });
  return { status: 202, body: { uuid: cluster.uuid } };
}

export const credentialOperations: readonly Operation[] = [
  {
    method: 'PATCH',
    path: '/v1/credentials/:cluster',
    tag: 'credentials',
    summary: 'Rotate the credentials of a cluster',
    rule: 'credential:rotate',
    since: { minor: 12, word: 'patch' },
    body: { kind: 'ignored' },
    answers: { status: 202, description: 'Accepted.', schema: { kind: 'uuid' } },
    handle: rotate,
  },
];
