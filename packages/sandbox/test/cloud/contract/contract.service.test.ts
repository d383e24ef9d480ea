import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestCloud } from '../support/test-cloud.ts';
import type { TestCloud } from '../support/test-cloud.ts';
import { listedDifferences } from './differences.ts';
import { loadScenarios } from './fixtures.ts';
import { replay } from './replay.ts';

let cloud: TestCloud;
const seen = new Set<string>();

beforeAll(async () => {
  cloud = await startTestCloud();
  await giveLoadBalancerRole(cloud);
  await makeRecordedFlavor(cloud);
});

afterAll(() => cloud.cloud.close());

describe('the sandbox answers like the recorded services', () => {
  const listed = listedDifferences();

  it.each(loadScenarios())('$title: no difference that is not listed', async (scenario) => {
    const differences = await replay(scenario, cloud);
    for (const name of differences.keys()) seen.add(name);
    const unlisted = [...differences].filter(([name]) => !listed.has(name));
    expect(unlisted).toEqual([]);
  });

  it('every listed difference still exists', () => {
    expect([...listed.keys()].filter((name) => !seen.has(name))).toEqual([]);
  });
});

/** The recorded cloud had a role for Octavia that its member held too. */
async function giveLoadBalancerRole({ cloud: { users, projects }, call, token }: TestCloud): Promise<void> {
  const admin = await token('admin');
  const made = await call('POST', '/identity/v3/roles', {
    token: admin,
    body: { role: { name: 'load-balancer_member' } },
  });
  const { role } = made.body as { role: { id: string } };
  const grant = `/identity/v3/projects/${projects.demo}/users/${users.demo}/roles/${role.id}`;
  expect((await call('PUT', grant, { token: admin })).status).toBe(204);
}

async function makeRecordedFlavor({ call, token }: TestCloud): Promise<void> {
  const flavor = { name: 'k8s.small', vcpus: 2, ram: 2048, disk: 10 };
  const made = await call('POST', '/compute/v2.1/flavors', { token: await token('admin'), body: { flavor } });
  expect(made.status).toBe(200);
}
