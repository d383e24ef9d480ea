import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';

import type { RunningService, Settings } from '@jeroboam/standalone';
import { StartError, startService } from '@jeroboam/standalone';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import type { TestDatabase } from '../../sandbox/test/support/database.ts';
import { createTestDatabase } from '../../sandbox/test/support/database.ts';
import { makeDirectory, quietSettings, signIn } from './support/service.ts';

let database: TestDatabase;
let place: ReturnType<typeof makeDirectory>;
let running: RunningService[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  place = makeDirectory();
  running = [];
});
afterEach(async () => {
  for (const service of running) await service.close();
  place.remove();
});

async function start(changes: Partial<Settings> = {}): Promise<RunningService> {
  const settings = quietSettings({
    dataDir: place.directory,
    databaseUrl: database.connectionString,
    ...changes,
  });
  const service = await startService(settings);
  running.push(service);
  return service;
}

/** Something else that listens. */
async function occupyPort(): Promise<{ port: number; server: Server }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server };
}

describe('a started service', () => {
  test('answers each user of its clouds file', async () => {
    const service = await start();
    for (const { cloud } of service.users) {
      const token = await signIn(service, cloud);
      const response = await fetch(`${service.url}/v1/clusters`, { headers: { 'x-auth-token': token } });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ clusters: [] });
    }
  });

  test('writes a clouds file that only its owner can read', async () => {
    const service = await start();
    const file = service.cloudsFile ?? '';
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { clouds } = parse(readFileSync(file, 'utf8')) as { clouds: Record<string, unknown> };
    expect(Object.keys(clouds)).toEqual(['jeroboam', 'jeroboam-admin', 'jeroboam-reader', 'jeroboam-second']);
    expect(clouds.jeroboam).toMatchObject({
      auth: {
        auth_url: service.authUrl,
        username: 'demo',
        project_name: 'demo',
        user_domain_name: 'Default',
        project_domain_name: 'Default',
      },
      region_name: 'RegionOne',
      identity_api_version: 3,
    });
  });

  test('is found through the catalogue of its cloud', async () => {
    const service = await start();
    const token = await signIn(service, 'jeroboam');
    const response = await fetch(`${service.authUrl}/auth/catalog`, { headers: { 'x-auth-token': token } });
    const { catalog } = (await response.json()) as {
      catalog: { type: string; endpoints: { url: string }[] }[];
    };
    const entry = catalog.find(({ type }) => type === 'container-infra');
    expect(entry?.endpoints.map(({ url }) => url)).toContain(`${service.url}/v1`);
  });

  test('keeps passwords and people over a restart', async () => {
    const first = await start();
    await first.close();
    const second = await start();
    expect(second.users).toEqual(first.users);
  });

  test('shows metrics to its own machine', async () => {
    const service = await start();
    const response = await fetch(service.metricsUrl ?? '');
    expect(response.status).toBe(200);
    expect(new URL(service.metricsUrl ?? '').hostname).toBe('127.0.0.1');
  });

  test('finishes a request that is under way before it closes', async () => {
    const service = await start();
    const token = await signIn(service, 'jeroboam');
    const body = '{"name": "slow", "coe": "kubernetes"}';
    const slow = request(`${service.url}/v1/clustertemplates`, {
      method: 'POST',
      headers: { 'x-auth-token': token, 'content-type': 'application/json', 'content-length': body.length },
    });
    slow.write(body.slice(0, 10));
    // A later request on another connection that is answered: by then the first one has arrived.
    await fetch(`${service.url}/v1/clusters`, { headers: { 'x-auth-token': token } });

    const closing = service.close();
    slow.end(body.slice(10));
    const [response] = (await once(slow, 'response')) as [IncomingMessage];
    response.resume();
    await closing;
    expect(response.statusCode).toBeLessThan(500);
  });
});

describe('a start that cannot be', () => {
  const failure = async (changes: Partial<Settings>) => {
    const error = await start(changes).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartError);
    return error as StartError;
  };

  test('says who works on the same data already', async () => {
    await start();
    const error = await failure({});
    expect(error.message).toContain(`in use by process ${process.pid}`);
    expect(error.exitCode).toBe(2);
  });

  test('says which port is taken and by whom', async () => {
    const { port, server } = await occupyPort();
    try {
      const { message } = await failure({ port });
      expect(message).toContain(`port ${port} for the API is in use by process ${process.pid}`);
      expect(message).toContain('--port');
    } finally {
      server.close();
    }
  });

  test('refuses a taken sandbox port that was asked for, and takes another where none was', async () => {
    const { port, server } = await occupyPort();
    try {
      expect((await failure({ sandboxPort: port })).message).toContain('--sandbox-port');
      const service = await start({ port: port - 1 });
      expect(new URL(service.sandboxUrl ?? '').port).not.toBe(String(port));
    } finally {
      server.close();
    }
  });

  test('names file, line and reason of a bad policy', async () => {
    const policyFile = path.join(place.directory, 'policy.yaml');
    writeFileSync(policyFile, '"cluster:get": "role:reader"\n"cluster:create": "rule:nobody_knows"\n');
    expect((await failure({ policyFile })).message).toMatch(/policy\.yaml:2: .*nobody_knows/);
  });

  test('names a driver that does not exist', async () => {
    expect((await failure({ defaultDriver: 'heat' })).message).toContain(
      'default driver "heat" is not one of',
    );
  });

  test('tells that the database is out of reach, without its password', async () => {
    const error = await failure({ databaseUrl: 'postgresql://someone:hunter2@127.0.0.1:1/nowhere' });
    expect(error.message).toContain('the database cannot be reached');
    expect(error.message).not.toContain('hunter2');
    expect(error.exitCode).toBe(1);
  });

  test('leaves nothing behind that would keep the next one from starting', async () => {
    await failure({ defaultDriver: 'heat' });
    const service = await start();
    expect((await fetch(`${service.url}/`)).status).toBe(200);
  });
});
