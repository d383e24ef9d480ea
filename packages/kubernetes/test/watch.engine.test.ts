import { randomBytes } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { managementClusterOfThisRun } from '../../sandbox/test/support/management-cluster.ts';
import {
  configMaps,
  KubeClient,
  namespaces,
  watchKind,
  type KubeObject,
  type KubeRequest,
  type Watch,
} from '../src/index.ts';
import { listen, type Watched } from './support/watched.ts';

const namespace = `watch-${randomBytes(4).toString('hex')}`;
const open: Watch[] = [];
let client: RecordingClient;

/** Keeps what was asked for, and asks what a test wants asked instead. */
class RecordingClient extends KubeClient {
  readonly lists: string[] = [];
  readonly watchedFrom: unknown[] = [];
  instead: (request: KubeRequest) => KubeRequest = (request) => request;

  override open(request: KubeRequest) {
    const asked = this.instead(request);
    if (asked.query?.['watch'] === true) this.watchedFrom.push(asked.query['resourceVersion']);
    else if (asked.method === 'GET') this.lists.push(asked.path);
    return super.open(asked);
  }
}

beforeAll(async () => {
  const admin = new KubeClient(managementClusterOfThisRun().access);
  await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  admin.close();
});

afterEach(() => {
  for (const watch of open.splice(0)) watch.close();
  client.close();
});

afterAll(async () => {
  const admin = new KubeClient(managementClusterOfThisRun().access);
  await admin.delete(namespaces, namespace);
  admin.close();
});

const configMap = (name: string, watched: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels: { watched } },
});

/** Each test watches objects with a label of its own. */
async function watching(label: string): Promise<Watched> {
  client = new RecordingClient(managementClusterOfThisRun().access);
  const watched = listen();
  const watch = watchKind(client, configMaps, watched.handler, {
    namespace,
    labelSelector: `watched=${label}`,
    random: () => 0,
  });
  open.push(watch);
  await watch.synced;
  return watched;
}

/** The API server is away for a moment: what matters is what is there in the end. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

describe('a watch of a real API server', () => {
  test('tells of what comes, changes and goes', async () => {
    const watched = await watching('plain');
    await client.create(configMaps, configMap('one', 'plain'));
    await watched.hears('changed one');
    await client.mergePatch(configMaps, 'one', namespace, { data: { a: '1' } });
    await watched.hears('changed one', 2);
    await client.delete(configMaps, 'one', namespace);
    await watched.hears('gone one');
    expect(watched.told).toEqual(['listed ', 'changed one', 'changed one', 'gone one']);
  });

  test('that an object leaves by its label is told of as its end', async () => {
    const watched = await watching('label');
    await client.create(configMaps, configMap('leaving', 'label'));
    await client.mergePatch(configMaps, 'leaving', namespace, { metadata: { labels: { watched: 'other' } } });
    await watched.hears('gone leaving');
    expect(watched.errors).toEqual([]);
  });

  test('goes on when the API server was killed, and misses nothing', async () => {
    const watched = await watching('killed');
    await client.create(configMaps, configMap('before', 'killed'));
    await watched.hears('changed before');
    await managementClusterOfThisRun().killProgram('kube-apiserver');
    await expect.poll(() => watched.errors.length, { timeout: 60_000 }).toBeGreaterThan(0);
    await patiently(() => client.create(configMaps, configMap('after', 'killed')));
    // A server that was started again remembers nothing from before: where anything else was written since our last change, it
    // wants the objects listed anew, and the new one may be among them.
    const ways = ['changed after', 'listed after,before'];
    await expect
      .poll(() => watched.told.filter((what) => ways.includes(what)), { timeout: 60_000 })
      .toHaveLength(1);
    expect(watched.told).not.toContain('gone before');
  });

  test('lists anew when the server has forgotten its version, and hears of what happened since', async () => {
    client = new RecordingClient(managementClusterOfThisRun().access);
    const watched = listen();
    // The oldest version there ever was is long compacted, or will not be served from memory.
    let asked = 0;
    client.instead = (request) =>
      request.query?.['watch'] === true && (asked += 1) === 1
        ? { ...request, query: { ...request.query, resourceVersion: '1' } }
        : request;
    open.push(
      watchKind(client, configMaps, watched.handler, {
        namespace,
        labelSelector: 'watched=old',
        random: () => 0,
      }),
    );
    await watched.hears('listed ', 2);
    await client.create(configMaps, configMap('new', 'old'));
    await watched.hears('changed new');
    expect(watched.told).toEqual(['listed ', 'failed 410', 'listed ', 'changed new']);
  });

  test('is kept young by bookmarks: it goes on from a later version than that of its last object', async () => {
    client = new RecordingClient(managementClusterOfThisRun().access);
    const watched = listen();
    // A server sends its last bookmark shortly before the time is up that was asked for.
    client.instead = (request) =>
      request.query?.['watch'] === true
        ? { ...request, query: { ...request.query, timeoutSeconds: 8 } }
        : request;
    const watch = watchKind(client, configMaps, watched.handler, {
      namespace,
      labelSelector: 'watched=young',
    });
    open.push(watch);
    await watch.synced;
    // Others' objects, which this watch never hears of, make the version grow.
    await client.create(configMaps, configMap('unseen', 'not-this-one'));
    let changes = 0;
    const youngest = async () => {
      await client.mergePatch(configMaps, 'unseen', namespace, { data: { changes: String((changes += 1)) } });
      return Number(client.watchedFrom.at(-1));
    };
    const [first] = client.watchedFrom;
    await expect.poll(youngest, { timeout: 120_000, interval: 500 }).toBeGreaterThan(Number(first));
    expect(watched.told).toEqual(['listed ']);
  });

  test('is silent once it is closed', async () => {
    const watched = await watching('closed');
    open.splice(0).forEach((watch) => watch.close());
    const second = listen();
    const control = watchKind(client, configMaps, second.handler, {
      namespace,
      labelSelector: 'watched=closed',
    });
    open.push(control);
    await control.synced;
    await client.create(configMaps, configMap('late', 'closed'));
    await second.hears('changed late');
    expect(watched.told).toEqual(['listed ']);
    expect(watched.errors).toEqual([]);
  });
});
