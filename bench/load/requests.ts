import type { Sample, Scenario, Target } from '../scenarios.ts';

const version = 'container-infra 1.14';

/** The requests of a scenario as they go over the wire. */
export function requestsOf(scenario: Scenario, sample: Sample, url: URL, token: string): string[] {
  return scenario.targets(sample).map(({ path, body }) => {
    const content = body === undefined ? '' : JSON.stringify(body);
    const head = [
      `${scenario.method} ${path} HTTP/1.1`,
      `Host: ${url.host}`,
      'Accept: application/json',
      'User-Agent: bench',
      `OpenStack-API-Version: ${version}`,
      `X-Auth-Token: ${token}`,
      ...(body === undefined
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
    ];
    return `${head.join('\r\n')}\r\n\r\n${content}`;
  });
}

/** Sends one request of a scenario and looks into the answer; what is wrong with it, or null. */
export async function tryOnce(
  scenario: Scenario,
  sample: Sample,
  url: URL,
  token: string,
): Promise<string | null> {
  const target = scenario.targets(sample)[0] as Target;
  const answer = await fetch(new URL(target.path, url), {
    method: scenario.method,
    headers: {
      accept: 'application/json',
      'openstack-api-version': version,
      'x-auth-token': token,
      ...(target.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(target.body === undefined ? {} : { body: JSON.stringify(target.body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await answer.text();
  if (answer.status !== scenario.status) return `${answer.status} ${text.slice(0, 300)}`;
  return scenario.complaint(JSON.parse(text) as Record<string, unknown>);
}
