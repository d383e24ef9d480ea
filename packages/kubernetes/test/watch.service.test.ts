import { afterEach, describe, expect, test } from 'vitest';

import { configMaps, KubeClient, watchKind, type Watch, type WatchOptions } from '../src/index.ts';
import {
  configMap,
  event,
  listOf,
  silence,
  startFakeApi,
  status,
  stream,
  type Answer,
  type FakeApi,
} from './support/fake-api.ts';
import { listen, type Watched } from './support/watched.ts';

let api: FakeApi;
let client: KubeClient;
let watch: Watch;
let watched: Watched;

/** A watch of a server that answers so; waits between its attempts are as short as they get. */
async function watching(
  options: WatchOptions<ReturnType<typeof configMap>>,
  ...answers: [Answer, ...Answer[]]
): Promise<void> {
  api = await startFakeApi(...answers);
  client = new KubeClient({ server: api.url });
  watched = listen();
  watch = watchKind(client, configMaps, watched.handler, { random: () => 0, ...options });
}

afterEach(async () => {
  watch.close();
  client.close();
  await api.close();
});

const versionsAskedFor = (): (string | null)[] =>
  api.requests.map((request) =>
    new URL(request.slice('GET '.length), 'http://fake').searchParams.get('resourceVersion'),
  );

const bookmark = (resourceVersion: string): string =>
  event('BOOKMARK', { metadata: { name: '', resourceVersion } });

describe('a watch', () => {
  test('lists, and then tells of what comes, changes and goes', async () => {
    await watching(
      {},
      listOf('5', configMap('a', '1')),
      stream([
        event('ADDED', configMap('b', '6')),
        event('MODIFIED', configMap('a', '7')),
        event('DELETED', configMap('b', '8')),
      ]),
    );
    await watch.synced;
    await watched.hears('gone b');
    expect(watched.told).toEqual(['listed a', 'changed b', 'changed a', 'gone b']);
    expect(versionsAskedFor()).toEqual([null, '5']);
  });

  test('asks for bookmarks and a limited time, of what was chosen', async () => {
    await watching(
      { namespace: 'here', labelSelector: 'ours' },
      listOf('5'),
      stream([bookmark('6')], 'ends'),
      stream([event('ADDED', configMap('b', '7'))]),
    );
    await watched.hears('changed b');
    expect(api.requests[0]).toBe('GET /api/v1/namespaces/here/configmaps?limit=500&labelSelector=ours');
    expect(api.requests[1]).toBe(
      'GET /api/v1/namespaces/here/configmaps?watch=true&resourceVersion=5&allowWatchBookmarks=true&timeoutSeconds=150&labelSelector=ours',
    );
  });

  test('puts lines together whose pieces come one by one, even in the middle of a character', async () => {
    const line = Buffer.from(event('ADDED', configMap('grün', '6')));
    const bytes = Array.from(line, (_byte, index) => line.subarray(index, index + 1));
    await watching({}, listOf('5'), stream(bytes));
    await watched.hears('changed grün');
    expect(watched.errors).toEqual([]);
  });

  test('goes on from the last bookmark when the server ends it, without listing again', async () => {
    await watching(
      {},
      listOf('5', configMap('a', '1')),
      stream([bookmark('60')], 'ends'),
      stream([event('ADDED', configMap('b', '61'))]),
    );
    await watched.hears('changed b');
    expect(versionsAskedFor()).toEqual([null, '5', '60']);
    expect(watched.told).toEqual(['listed a', 'changed b']);
  });

  test('goes on from the last change when the connection breaks', async () => {
    await watching(
      {},
      listOf('5'),
      stream([event('ADDED', configMap('a', '6')), '{"type":"ADD'], 'breaks'),
      stream([event('ADDED', configMap('b', '7'))]),
    );
    await watched.hears('changed b');
    expect(versionsAskedFor()).toEqual([null, '5', '6']);
    expect(watched.told).toEqual(['listed ', 'changed a', 'failed', 'changed b']);
  });

  test.each([
    ['by the answer', status(410, 'Expired', 'too old')],
    [
      'by an event',
      stream([event('ERROR', { metadata: {}, code: 410, reason: 'Expired', message: 'too old' })]),
    ],
  ])('lists anew when its version is too old, told %s', async (_how, expired) => {
    await watching(
      {},
      listOf('5', configMap('a', '1')),
      expired,
      listOf('90', configMap('b', '80')),
      silence,
    );
    await watched.hears('listed b');
    expect(watched.told).toEqual(['listed a', 'failed 410', 'listed b']);
  });

  test('takes a connection on which nothing is heard for dead', async () => {
    await watching({ silenceMs: 30 }, listOf('5'), stream([]), stream([event('ADDED', configMap('a', '6'))]));
    await watched.hears('changed a');
    expect(versionsAskedFor().slice(0, 3)).toEqual([null, '5', '5']);
  });

  test('bears an overloaded server, garbage and events of no kind, and never repeats what it could not read', async () => {
    await watching(
      {},
      status(429, 'TooManyRequests', 'slow down'),
      listOf('5'),
      stream(['sesame\n']),
      stream(['null\n']),
      stream([event('ADDED', configMap('a', '6'))]),
    );
    await watched.hears('changed a');
    expect(watched.told).toEqual(['failed 429', 'listed ', 'failed 0', 'failed 0', 'changed a']);
    expect(JSON.stringify(watched.errors.map(({ message, stack }) => [message, stack]))).not.toContain(
      'sesame',
    );
  });

  test('backs off where every watch ends at once, and in the end lists anew', async () => {
    await watching({}, (response, request, url) =>
      (url.searchParams.has('watch') ? stream([], 'ends') : listOf('5'))(response, request, url),
    );
    await watched.hears('listed ', 2);
    // A server that turns us away is not asked without end: so many times in the three seconds that this took.
    expect(watched.told.filter((what) => what === 'failed')).toHaveLength(5);
    expect(api.requests).toHaveLength(7);
  });

  test('is silent once it is closed, and who waits for its first list does not wait for ever', async () => {
    await watching({}, silence);
    watch.close();
    await watch.synced;
    expect(watched.told).toEqual([]);
  });
});
