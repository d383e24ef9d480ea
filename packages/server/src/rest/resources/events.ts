import { Fault } from '@jeroboam/domain';
import { enforce, wideScope } from '../../access.ts';
import { findParentCluster } from '../../clusters/find.ts';
import { eventView } from '../../events/view.ts';
import { eventsBefore } from '../../store/index.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';
import { integerArgument, pagingArguments } from '../paging.ts';

/** A client whose rights may have changed has to come back; it goes on where it was. */
const longestStreamMs = 3_600_000;
const largestNumber = 2 ** 53;

/** What happened to a cluster, newest first; or as it happens. */
async function list(context: RequestContext): Promise<Answer> {
  const { services, caller, base, query, params } = context;
  const { options, store } = services;
  const limit = integerArgument(query, 'limit');
  if (limit !== null && limit <= 0)
    throw new Fault('invalid_input', 'Limit must be positive', { field: 'limit' });
  const marker = integerArgument(query, 'marker');
  if (marker !== null && Math.abs(marker) > largestNumber)
    throw new Fault('invalid_input', 'Marker is no number of an event', { field: 'marker' });
  const scope = wideScope(options.policy, caller, 'cluster:get_one_all_projects');
  const cluster = await findParentCluster(store.pool, params['cluster'] ?? '', scope);
  enforce(options.policy, caller, 'cluster:get', cluster);
  if (context.eventStream !== null) {
    const until = Math.min(Date.now() + longestStreamMs, caller.expiresAt);
    const { lastEventId } = context.eventStream;
    return { status: 200, stream: services.eventStreams.open(cluster.uuid, lastEventId, until) };
  }
  const size = Math.min(limit ?? options.api.maxLimit, options.api.maxLimit);
  const rows = await eventsBefore(store.pool, cluster.uuid, marker?.toString() ?? null, size);
  const last = rows.at(-1);
  const next =
    last !== undefined && rows.length === size
      ? { next: `${base}/v1/clusters/${cluster.uuid}/events?limit=${size}&marker=${last.id}` }
      : {};
  return { status: 200, body: { events: rows.map(eventView), ...next } };
}

const example = {
  id: 412,
  kind: 'nodegroup',
  object: 'default-worker',
  reason: 'UPDATE_IN_PROGRESS',
  message: 'Machine prod-x2v-default-worker-7p4: waiting for the server to become active.',
  severity: 'info',
  created_at: '2026-11-15T09:30:12.104233+00:00',
};

const text = { type: 'string' };

export const eventOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/clusters/:cluster/events',
    tag: 'clusters',
    id: 'listClusterEvents',
    summary: 'List what happened to a cluster, or follow it',
    note: 'Newest first; the newest 1000 are kept, as long as the cluster is. Who accepts `text/event-stream` is sent what happens from then on as server-sent events, or from the event named in `Last-Event-ID`; the stream ends with an event `gone` when the cluster does.',
    rule: 'cluster:get',
    query: pagingArguments
      .filter(({ name }) => name === 'limit' || name === 'marker')
      .map((argument) => ({ ...argument, extension: true })),
    eventStream: true,
    answers: {
      status: 200,
      description: 'A page of events.',
      schema: {
        kind: 'free',
        schema: {
          type: 'object',
          required: ['events'],
          properties: {
            events: {
              type: 'array',
              items: {
                type: 'object',
                required: Object.keys(example),
                properties: {
                  id: { type: 'integer', description: 'Grows with time; the marker of the next page.' },
                  kind: { type: 'string', enum: ['operation', 'cluster', 'nodegroup', 'machine'] },
                  object: { ...text, description: 'The name of what it is about.' },
                  reason: { ...text, description: 'One word for programs.' },
                  message: { ...text, description: 'One sentence for people.' },
                  severity: { type: 'string', enum: ['info', 'warning', 'error'] },
                  created_at: { ...text, format: 'date-time' },
                },
              },
            },
            next: {
              ...text,
              format: 'uri',
              description: 'The address of the next page, when this one is full.',
            },
          },
          examples: [{ events: [example] }],
        },
      },
    },
    handle: list,
  },
];
