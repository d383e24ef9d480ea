import type { FastifyInstance } from 'fastify';

import { notFound } from '../http/api-error.ts';

/** What clients look for before they use a feature: only what is served here. */
const EXTENSIONS = [
  ['external-net', 'Neutron external network', 'Networks that lead outside'],
  ['provider', 'Provider networks', 'What carries a network, for administrators'],
  ['net-mtu', 'Network MTU', 'The largest packet of a network'],
  ['port-security', 'Port security', 'Whether addresses are checked at the port'],
  ['project-id', 'Project id', 'project_id beside tenant_id'],
  ['quotas', 'Quotas', 'How much a project may have'],
  ['quota_details', 'Quota details', 'How much of it is used'],
  ['standard-attr-tag', 'Tags', 'Tags on resources'],
  ['standard-attr-description', 'Descriptions', 'Descriptions of resources'],
  ['standard-attr-timestamp', 'Timestamps', 'When a resource was made and changed'],
  ['standard-attr-revisions', 'Revisions', 'How often a resource was changed'],
  ['filter-validation', 'Filter validation', 'Filters that are not known are refused'],
  ['pagination', 'Pagination', 'Lists by page'],
  ['sorting', 'Sorting', 'Lists in a chosen order'],
] as const;

const views = EXTENSIONS.map(([alias, name, description]) => ({
  name,
  alias,
  description,
  updated: '2026-01-01T00:00:00-00:00',
  links: [],
}));

export function extensionRoutes(app: FastifyInstance): void {
  app.get('/v2.0/extensions', async () => ({ extensions: views }));
  app.get<{ Params: { alias: string } }>('/v2.0/extensions/:alias', async (request, reply) => {
    const extension = views.find(({ alias }) => alias === request.params.alias);
    if (extension === undefined) {
      throw notFound(`Extension with alias ${request.params.alias} does not exist`);
    }
    return reply.send({ extension });
  });
}
