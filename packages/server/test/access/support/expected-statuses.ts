import type { OperationName } from './requests.ts';

/** Who asks for a thing of project demo. */
export const askers = ['foreigner', 'reader', 'member', 'admin'] as const;

/**
 * foreigner: a member of another project; reader and member: of the project itself, the member being who
 * made the thing; admin: an administrator whose token is for another project.
 */
export type Asker = (typeof askers)[number];

type Row = readonly [foreigner: number, reader: number, member: number, admin: number];

/**
 * What each asker gets from each operation, in the order above. 400 in a row of 2xx says that asking was
 * allowed and the thing itself cannot be done (certificates of the simulated driver, federations).
 */
export const expectedStatuses: Readonly<Record<OperationName, Row>> = {
  'GET /v1/clusters': [200, 200, 200, 200],
  'GET /v1/clusters/detail': [200, 200, 200, 200],
  'POST /v1/clusters': [404, 403, 202, 404],
  'GET /v1/clusters/:cluster': [404, 200, 200, 200],
  'PATCH /v1/clusters/:cluster': [404, 403, 202, 202],
  'DELETE /v1/clusters/:cluster': [404, 403, 204, 204],
  'POST /v1/clusters/:cluster/actions/resize': [404, 403, 202, 404],
  'POST /v1/clusters/:cluster/actions/upgrade': [404, 403, 202, 202],
  'GET /v1/clusters/:cluster/nodegroups': [404, 200, 200, 200],
  'POST /v1/clusters/:cluster/nodegroups': [404, 403, 202, 404],
  'GET /v1/clusters/:cluster/nodegroups/:nodegroup': [404, 200, 200, 200],
  'PATCH /v1/clusters/:cluster/nodegroups/:nodegroup': [404, 403, 202, 404],
  'DELETE /v1/clusters/:cluster/nodegroups/:nodegroup': [404, 403, 204, 404],
  'GET /v1/clusters/:cluster/events': [404, 200, 200, 200],
  'GET /v1/clusters/:cluster/machines': [404, 200, 200, 200],
  'GET /v1/clusters/:cluster/nodegroups/:nodegroup/machines': [404, 200, 200, 200],
  'GET /v1/clustertemplates': [200, 200, 200, 200],
  'GET /v1/clustertemplates/detail': [200, 200, 200, 200],
  'POST /v1/clustertemplates': [201, 403, 201, 201],
  'GET /v1/clustertemplates/:template': [404, 200, 200, 200],
  'PATCH /v1/clustertemplates/:template': [404, 403, 200, 404],
  'DELETE /v1/clustertemplates/:template': [404, 403, 204, 204],
  'GET /v1/clustertemplates/:template/nodegrouptemplates': [404, 200, 200, 200],
  'POST /v1/clustertemplates/:template/nodegrouptemplates': [404, 403, 201, 404],
  'GET /v1/nodegrouptemplates': [200, 200, 200, 200],
  'GET /v1/nodegrouptemplates/detail': [200, 200, 200, 200],
  'POST /v1/nodegrouptemplates': [404, 403, 201, 404],
  'GET /v1/nodegrouptemplates/:nodegrouptemplate': [404, 200, 200, 200],
  'PATCH /v1/nodegrouptemplates/:nodegrouptemplate': [404, 403, 200, 404],
  'DELETE /v1/nodegrouptemplates/:nodegrouptemplate': [404, 403, 204, 204],
  'POST /v1/certificates': [400, 403, 201, 400],
  'GET /v1/certificates/:cluster': [404, 403, 200, 404],
  'PATCH /v1/certificates/:cluster': [404, 403, 400, 404],
  'PATCH /v1/credentials/:cluster': [404, 403, 202, 404],
  'GET /v1/quotas': [403, 403, 403, 200],
  'POST /v1/quotas': [403, 403, 403, 201],
  'GET /v1/quotas/:project/:resource': [403, 200, 200, 200],
  'PATCH /v1/quotas/:project/:resource': [403, 403, 403, 202],
  'DELETE /v1/quotas/:project/:resource': [403, 403, 403, 204],
  'GET /v1/stats': [200, 200, 200, 200],
  'GET /v1/mservices': [403, 403, 403, 200],
  'GET /v1/federations': [200, 200, 200, 200],
  'GET /v1/federations/detail': [200, 200, 200, 200],
  'POST /v1/federations': [400, 403, 400, 400],
  'GET /v1/federations/:federation': [404, 404, 404, 404],
  'PATCH /v1/federations/:federation': [404, 403, 404, 404],
  'DELETE /v1/federations/:federation': [404, 403, 404, 404],
};

/** Throws for an operation that has no row: whoever adds one says here who may ask for it. */
export function expectedStatus(operation: OperationName, asker: Asker): number {
  const row = expectedStatuses[operation];
  const status = row?.[askers.indexOf(asker)];
  if (status === undefined) throw new Error(`${operation} has no row in expected-statuses.ts`);
  return status;
}
