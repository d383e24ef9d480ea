import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { extensions, wholeCluster, World, type Body } from './support/world.ts';

/**
 * A source is changed as a whole, again and again, while things are made from it. Whatever is made must be as the
 * source was at one moment, in every attribute and every group.
 */
let service: TestService;
let world: World;

beforeAll(async () => {
  service = await startTestService({
    delayMs: 0,
    change: (options) => ({ ...options, maxClustersPerProject: 5000 }),
  });
  world = new World(service);
});
afterAll(() => service.close());

const flavors = ['m1.small', 'm1.medium', 'm1.large'];

/** Runs a change over and over until the makers are done; answers what the makers got. */
async function whileChanging(
  change: (round: number) => Promise<void>,
  make: () => Promise<string | null>,
): Promise<(string | null)[]> {
  const done = new AbortController();
  const changing = (async () => {
    for (let round = 0; !done.signal.aborted; round += 1) await change(round);
  })();
  const makers = Array.from({ length: 4 }, async () => {
    const made: (string | null)[] = [];
    for (let turn = 0; turn < 8; turn += 1) made.push(await make());
    return made;
  });
  const made = (await Promise.all(makers)).flat();
  done.abort();
  await changing;
  return made;
}

const post = async (path: string, body: Body): Promise<string | null> => {
  const answer = await service.request('demo', 'POST', path, body);
  if (answer.status === 202 || answer.status === 201) return answer.body.uuid;
  // A clear refusal is the other thing that may happen.
  expect([answer.status, answer.body.errors[0].detail]).toStrictEqual([
    expect.toBeOneOf([400, 404, 409]),
    expect.stringMatching(/\w+ .*\./s),
  ]);
  return null;
};

describe('a clone of a cluster that is changed meanwhile', () => {
  test('has the flavor of one moment in the cluster and in all groups that follow it', async () => {
    const source = await world.cluster({
      ...wholeCluster,
      name: 'moving',
      nodegroups: [{ name: 'default-worker' }, { name: 'a' }, { name: 'b' }, { name: 'c' }],
    });
    const change = async (round: number): Promise<void> => {
      const flavor = flavors[round % flavors.length];
      const patch = [{ op: 'replace', path: '/flavor_id', value: flavor }];
      await world.ask('demo', 'PATCH', `/v1/clusters/${source}`, patch, 202, { 'content-type': extensions });
    };
    const made = await whileChanging(change, () => post('/v1/clusters', { source_cluster: source }));
    expect(made.filter((uuid) => uuid !== null).length).toBeGreaterThan(0);
    const seen = new Set<string>();
    for (const uuid of made) {
      if (uuid === null) continue;
      const { cluster, groups } = await world.configuration(uuid);
      const workers = Object.entries(groups).filter(([name]) => name !== 'default-master');
      expect(workers.map(([, group]) => group['flavor_id'])).toStrictEqual(
        workers.map(() => cluster['flavor_id']),
      );
      expect(workers).toHaveLength(4);
      seen.add(String(cluster['flavor_id']));
    }
    // The changes really came between: the clones are not all of one moment.
    expect(seen.size).toBeGreaterThan(1);
  });
});

describe('what is made from a source that is deleted meanwhile', () => {
  test('is a whole clone or a refusal', async () => {
    for (let round = 0; round < 10; round += 1) {
      const source = await world.cluster({
        ...wholeCluster,
        name: 'going',
        nodegroups: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      });
      const [first, , second] = await Promise.all([
        post('/v1/clusters', { source_cluster: source }),
        service.request('demo', 'DELETE', `/v1/clusters/${source}`),
        post('/v1/clusters', { source_cluster: source }),
      ]);
      for (const uuid of [first, second]) {
        if (uuid === null) continue;
        expect(await world.groupNames(uuid)).toStrictEqual(['default-master', 'a', 'b', 'c']);
      }
    }
  });

  test('is a cluster with all groups of the template or a refusal', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { keypair, ...rest } = wholeCluster;
      const template = await world.template({
        ...rest,
        keypair_id: keypair,
        nodegroups: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      });
      const [first, , second] = await Promise.all([
        post('/v1/clusters', { cluster_template_id: template }),
        service.request('demo', 'DELETE', `/v1/clustertemplates/${template}`),
        post('/v1/clusters', { cluster_template_id: template, coe: 'kubernetes' }),
      ]);
      for (const uuid of [first, second]) {
        if (uuid === null) continue;
        expect(await world.groupNames(uuid)).toStrictEqual(['default-master', 'a', 'b', 'c']);
      }
    }
  });
});
