import { afterEach, describe, expect, test } from 'vitest';

import { configMaps, KubeClient, type KubeError } from '../src/index.ts';
import {
  configMap,
  json,
  listOf,
  silence,
  startFakeApi,
  status,
  type Answer,
  type FakeApi,
} from './support/fake-api.ts';

let api: FakeApi;
let client: KubeClient;

async function against(...answers: [Answer, ...Answer[]]): Promise<void> {
  api = await startFakeApi(...answers);
  client = new KubeClient({ server: api.url, token: 'sesame' });
}

afterEach(async () => {
  client.close();
  await api.close();
});

const failure = (promise: Promise<unknown>): Promise<KubeError> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as KubeError,
  );

describe('a client', () => {
  test('answers null for what is not there, and says whether there was anything to delete', async () => {
    await against(status(404, 'NotFound', 'no such thing'));
    await expect(client.get(configMaps, 'one', 'default')).resolves.toBeNull();
    await expect(client.delete(configMaps, 'one', 'default')).resolves.toBe(false);
  });

  test('reads every page, asks for pages of the given size and says of each item what it is', async () => {
    await against(
      json({
        items: [{ metadata: { name: 'a' } }],
        metadata: { resourceVersion: '7', continue: 'next&page' },
      }),
      json({ items: [{ metadata: { name: 'b' } }], metadata: { resourceVersion: '7' } }),
    );
    const { items, resourceVersion } = await client.list(configMaps, { pageSize: 1 });
    expect(items.map(({ kind, apiVersion, metadata }) => [apiVersion, kind, metadata.name])).toEqual([
      ['v1', 'ConfigMap', 'a'],
      ['v1', 'ConfigMap', 'b'],
    ]);
    expect(resourceVersion).toBe('7');
    expect(api.requests).toEqual([
      'GET /api/v1/configmaps?limit=1',
      'GET /api/v1/configmaps?limit=1&continue=next%26page',
    ]);
  });

  test('begins a list anew when the server has forgotten where its pages were', async () => {
    await against(
      json({ items: [{ metadata: { name: 'old' } }], metadata: { resourceVersion: '7', continue: 'x' } }),
      status(410, 'Expired', 'too old'),
      listOf('9', configMap('new', '8')),
    );
    const { items } = await client.list(configMaps);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['new']);
  });

  test('gives a list up that the server forgets again and again', async () => {
    await against(status(410, 'Expired', 'too old'));
    expect((await failure(client.list(configMaps))).expired).toBe(true);
    expect(api.requests).toHaveLength(3);
  });
});

describe('a client tells', () => {
  test('of a server that takes too long as one that cannot be reached', async () => {
    await against(silence);
    const error = await failure(client.request({ method: 'GET', path: '/slow', timeoutMs: 50 }));
    expect(error).toMatchObject({ status: 0, reason: 'Unreachable', passing: true });
    expect(error.message).toContain('it took too long');
  });

  test('of an answer that stops halfway the same', async () => {
    await against((response) => {
      response.writeHead(200).write('{"half":');
      setImmediate(() => response.destroy());
    });
    expect(await failure(client.request({ method: 'GET', path: '/half' }))).toMatchObject({ status: 0 });
  });

  test('of what it was told to give up as that', async () => {
    await against(silence);
    const told = new AbortController();
    const failed = failure(client.request({ method: 'GET', path: '/slow', signal: told.signal }));
    told.abort();
    expect(await failed).toMatchObject({ status: 0, reason: 'Aborted' });
  });

  test('of garbage without repeating it', async () => {
    await against((response) => void response.writeHead(200).end('<html>sesame</html>'));
    const error = await failure(client.get(configMaps, 'one', 'default'));
    expect(error).toMatchObject({ status: 0, reason: 'Unreadable', passing: true });
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain('sesame');
  });

  test('of an overloaded server as one that may answer later', async () => {
    await against((response) => void response.writeHead(429, { 'retry-after': '1' }).end('slow down'));
    const error = await failure(client.get(configMaps, 'one', 'default'));
    expect(error).toMatchObject({ status: 429, message: 'slow down', passing: true });
  });

  test('of a server that is not there, and never of its token', async () => {
    await against(silence);
    await api.close();
    const error = await failure(client.get(configMaps, 'one', 'default'));
    expect(error).toMatchObject({ status: 0, reason: 'Unreachable' });
    expect(JSON.stringify([error.message, error.stack, error])).not.toContain('sesame');
    await expect(client.isReady()).resolves.toBe(false);
  });
});
