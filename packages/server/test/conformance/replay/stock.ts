import type { Answer, RecordedRequest } from './fixture.ts';
import { dig, isObject, textOf } from './json.ts';
import type { JsonObject } from './json.ts';
import { poll } from './pace.ts';
import type { Pace } from './pace.ts';
import type { Session } from './session.ts';

/** What stands on the service, as the administrator sees it: the recordings began on an empty one. */
const LATEST = { 'OpenStack-API-Version': 'container-infra latest' };

function asAdmin(method: string, path: string): RecordedRequest {
  return { as: 'admin', method, path, headers: LATEST };
}

async function list(session: Session, path: string, key: string): Promise<JsonObject[]> {
  const answer = await session.send(asAdmin('GET', path));
  const items = dig(answer.body, key);
  if (!Array.isArray(items))
    throw new Error(`GET ${path} as admin answered ${answer.status} without "${key}".`);
  return items.filter(isObject);
}

async function remove(session: Session, path: string): Promise<Answer> {
  return session.send(asAdmin('DELETE', path));
}

/** Deletes every cluster, template and quota. */
export async function emptyService(session: Session, pace: Pace): Promise<void> {
  const clusters = () => list(session, '/v1/clusters', 'clusters');
  for (const cluster of await clusters()) await remove(session, `/v1/clusters/${textOf(cluster['uuid'])}`);
  const { seen, timedOut } = await poll(clusters, (left) => left.length === 0, pace.waitLimitMs, pace.pollMs);
  if (timedOut) {
    const left = seen.map((cluster) => `${textOf(cluster['name'])} ${textOf(cluster['status'])}`).join(', ');
    throw new Error(`The service could not be emptied before a scenario; clusters left: ${left}.`);
  }
  for (const template of await list(session, '/v1/clustertemplates', 'clustertemplates')) {
    await remove(session, `/v1/clustertemplates/${textOf(template['uuid'])}`);
  }
  for (const quota of await list(session, '/v1/quotas?all_tenants=True', 'quotas')) {
    await remove(session, `/v1/quotas/${textOf(quota['project_id'])}/${textOf(quota['resource'])}`);
  }
}

/** Returns when no cluster is being worked on, or at the limit, whichever comes first. */
export async function settle(session: Session, limitMs: number, pace: Pace): Promise<void> {
  const idle = (clusters: JsonObject[]): boolean =>
    clusters.every((cluster) => !textOf(cluster['status']).endsWith('_IN_PROGRESS'));
  await poll(() => list(session, '/v1/clusters', 'clusters'), idle, limitMs, pace.pollMs);
}
