import { Fault } from '@jeroboam/domain';
import { sql } from 'kysely';
import { enforce } from '../../access.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';
import { textArgument } from '../paging.ts';

/** How many clusters and nodes there are, masters among them. */
async function show({ services, caller, query }: RequestContext): Promise<Answer> {
  const projectId = textArgument(query, 'project_id');
  const type = textArgument(query, 'type') ?? 'cluster';
  enforce(services.options.policy, caller, 'stats:get_all');
  if (!caller.isAdmin && projectId !== null && projectId !== caller.projectId)
    throw new Fault('forbidden', 'Not authorized.');
  if (type.toLowerCase() !== 'cluster') {
    throw new Fault('invalid_input', `Invalid value '${type}' for type: only cluster is known.`, {
      field: 'type',
    });
  }
  const counted = projectId ?? (caller.isAdmin ? null : caller.projectId);
  const filter = counted === null ? sql`true` : sql`project_id = ${counted}`;
  const { rows } = await sql<{ clusters: number; nodes: number }>`
    select (select count(*)::int from cluster where ${filter}) as clusters,
           (select coalesce(sum(node_count), 0)::int8::float8 from nodegroup where ${filter}) as nodes`.execute(
    services.store.database,
  );
  return { status: 200, body: { clusters: rows[0]?.clusters ?? 0, nodes: rows[0]?.nodes ?? 0 } };
}

export const statsOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/stats',
    tag: 'stats',
    summary: 'Count clusters and nodes',
    rule: 'stats:get_all',
    query: [
      {
        name: 'project_id',
        type: 'string',
        description: 'The project to count; all of them for an administrator when absent.',
      },
      { name: 'type', type: 'string', description: 'Only `cluster`.' },
    ],
    answers: {
      status: 200,
      description: 'The counts.',
      schema: {
        kind: 'free',
        schema: {
          type: 'object',
          properties: { clusters: { type: 'integer' }, nodes: { type: 'integer' } },
          examples: [{ clusters: 2, nodes: 6 }],
        },
      },
    },
    handle: show,
  },
];
