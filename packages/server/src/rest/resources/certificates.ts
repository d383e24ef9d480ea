import {
  certificateAttributes,
  Fault,
  invalidField,
  isDeleting,
  isInProgress,
  parseBody,
} from '@jeroboam/domain';
import { allows, enforce, ownScope } from '../../access.ts';
import { caKindFor, CertificateRequestError, signCsr } from '../../certificates/index.ts';
import { acceptChange } from '../../clusters/accept.ts';
import { driverOf } from '../../clusters/driver-of.ts';
import { findCluster } from '../../clusters/find.ts';
import type { Caller } from '../../identity/index.ts';
import type { Services } from '../../services.ts';
import { drawCertificateRefs, type ClusterRow } from '../../store/index.ts';
import { linksOf } from '../links.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';
import { textArgument } from '../paging.ts';

/**
 * Certificates are for the user who made the cluster, since they make anyone an administrator of it. One
 * switch of the operator extends that to the project's members.
 */
function mayUse(
  { options }: Services,
  caller: Caller,
  rule: 'certificate:get' | 'certificate:create',
  cluster: ClusterRow,
): void {
  const asOwner = { project_id: cluster.project_id, user_id: caller.userId };
  if (options.certificates.forProjectMembers && allows(options.policy, caller, rule, asOwner)) return;
  enforce(options.policy, caller, rule, cluster);
}

async function show({ services, caller, base, params, query }: RequestContext): Promise<Answer> {
  const kind = caKindFor(textArgument(query, 'ca_cert_type') ?? undefined);
  const cluster = await findCluster(services.store.pool, params['cluster'] ?? '', ownScope(caller));
  mayUse(services, caller, 'certificate:get', cluster);
  const { certificatePem } = await services.vault.authority(cluster, kind);
  return {
    status: 200,
    body: {
      cluster_uuid: cluster.uuid,
      links: linksOf(base, `certificates/${cluster.uuid}`),
      pem: certificatePem.trimEnd(),
    },
  };
}

/** A cluster named in a body that cannot be found is a mistake of the body: 400, not 404. */
async function clusterToSignFor(services: Services, caller: Caller, ident: unknown): Promise<ClusterRow> {
  if (typeof ident !== 'string') {
    throw new Fault('not_found', `Cluster ${ident === undefined ? 'Unset' : 'None'} could not be found.`, {
      field: 'cluster_uuid',
    });
  }
  try {
    return await findCluster(services.store.pool, ident, ownScope(caller));
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not_found') {
      throw new Fault('not_found', error.message, { status: 400, field: 'cluster_uuid', cause: error });
    }
    throw error;
  }
}

async function sign({ services, caller, base, body }: RequestContext): Promise<Answer> {
  const { options, vault } = services;
  const parsed = parseBody(certificateAttributes, body);
  const cluster = await clusterToSignFor(services, caller, parsed['cluster_uuid']);
  mayUse(services, caller, 'certificate:create', cluster);
  const csr = parsed['csr'];
  if (typeof csr !== 'string') throw invalidField('csr', csr, 'Mandatory field missing.');
  const caType = parsed['ca_cert_type'];
  const ca = await vault.authority(cluster, caKindFor(typeof caType === 'string' ? caType : undefined));
  try {
    const pem = await signCsr({ csrPem: csr, ca, rules: options.certificates.signing, now: new Date() });
    const links = linksOf(base, `certificates/${cluster.uuid}`);
    return {
      status: 201,
      body: {
        cluster_uuid: cluster.uuid,
        links,
        csr,
        pem: pem.trimEnd(),
        ...(typeof caType === 'string' ? { ca_cert_type: caType } : {}),
      },
    };
  } catch (error) {
    if (error instanceof CertificateRequestError)
      throw new Fault('invalid_input', error.message, { field: 'csr', cause: error });
    throw error;
  }
}

async function rotate({ services, caller, params }: RequestContext): Promise<Answer> {
  const { options } = services;
  const cluster = await findCluster(services.store.pool, params['cluster'] ?? '', ownScope(caller));
  enforce(options.policy, caller, 'certificate:rotate_ca', cluster);
  if (cluster.tls_disabled)
    throw new Fault('not_supported', 'Rotating the CA certificate on a non-TLS cluster is not supported');
  // Asked before anything changes: a driver that cannot leaves the cluster as it was.
  if (!driverOf(options.drivers, cluster).capabilities.rotateCaCertificates) {
    throw new Fault('not_supported', "'rotate_ca_certificate' is not supported by this driver.");
  }
  // What was never made has no authority to replace, and what is being deleted needs none.
  const never = cluster.status === 'CREATE_FAILED' || isDeleting(cluster.status);
  if (never || isInProgress(cluster.status)) {
    throw new Fault(
      'operation_refused',
      `Updating a cluster when status is "${cluster.status}" is not supported.`,
    );
  }
  await acceptChange(services, cluster, () => Promise.resolve({}), {
    kind: 'rotate-ca',
    detail: { newCertificates: drawCertificateRefs() },
  });
  return { status: 202, body: { uuid: cluster.uuid } };
}

const tag = 'certificates';

export const certificateOperations: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/certificates',
    tag,
    summary: 'Sign a certificate request',
    rule: 'certificate:create',
    body: { kind: 'object', table: certificateAttributes },
    answers: {
      status: 201,
      description: 'The signed certificate.',
      schema: { kind: 'resource', table: certificateAttributes },
    },
    handle: sign,
  },
  {
    method: 'GET',
    path: '/v1/certificates/:cluster',
    tag,
    summary: 'Show the CA certificate of a cluster',
    rule: 'certificate:get',
    query: [
      { name: 'ca_cert_type', type: 'string', description: 'kubernetes (default), etcd or front-proxy.' },
    ],
    answers: {
      status: 200,
      description: 'The certificate.',
      schema: { kind: 'resource', table: certificateAttributes },
    },
    handle: show,
  },
  {
    method: 'PATCH',
    path: '/v1/certificates/:cluster',
    tag,
    summary: 'Rotate the CA of a cluster, where the driver can',
    rule: 'certificate:rotate_ca',
    query: [{ name: 'ca_cert_type', type: 'string', description: 'Kept for old clients.' }],
    body: { kind: 'ignored' },
    answers: { status: 202, description: 'Accepted.', schema: { kind: 'uuid' } },
    handle: rotate,
  },
];
