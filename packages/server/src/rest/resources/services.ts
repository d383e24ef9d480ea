import { enforce } from '../../access.ts';
import { listServices, type ServiceRow } from '../../store/index.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';

/** A conductor that was silent for longer is taken for dead. */
const downAfterMs = 180_000;

function view(service: ServiceRow): Record<string, unknown> {
  const silentMs = Math.abs(Date.now() - Date.parse(service.last_seen_up));
  const { last_seen_up: _seen, forced_down: forcedDown, ...shown } = service;
  return { ...shown, state: !forcedDown && silentMs <= downAfterMs ? 'up' : 'down' };
}

async function list({ services, caller }: RequestContext): Promise<Answer> {
  enforce(services.options.policy, caller, 'magnum-service:get_all');
  const rows = await listServices(services.store.database);
  return { status: 200, body: { mservices: rows.map(view) } };
}

export const serviceOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/mservices',
    tag: 'mservices',
    summary: 'List the conductors',
    rule: 'magnum-service:get_all',
    answers: {
      status: 200,
      description: 'The conductors and whether they live.',
      schema: {
        kind: 'free',
        schema: {
          type: 'object',
          properties: { mservices: { type: 'array', items: { type: 'object' } } },
          examples: [
            {
              mservices: [
                { id: 1, host: 'conductor-1', binary: 'magnum-conductor', state: 'up', report_count: 36 },
              ],
            },
          ],
        },
      },
    },
    handle: list,
  },
];
