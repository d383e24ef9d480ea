import { Fault } from '@jeroboam/domain';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { extensionType } from '../../src/rest/extension.ts';
import { settled } from '../support/clusters.ts';
import { startRecordedService, type RecordedService } from './support/recorded-service.ts';

let recorded: RecordedService;
let cluster: string;

beforeAll(async () => {
  recorded = await startRecordedService();
  cluster = await recorded.accept('refusing');
  await settled(recorded.service, 'demo', cluster);
  await send('POST', `/${cluster}/nodegroups`, { name: 'extra' });
  await settled(recorded.service, 'demo', cluster);
});
afterAll(() => recorded.service.close());
afterEach(() => {
  recorded.driver.refusing = [];
  recorded.driver.unready = null;
});

const send = (method: string, path: string, body?: unknown, headers = {}) =>
  recorded.service.request('demo', method, `/v1/clusters${path}`, body, headers);

const refusal = 'admission webhook denied the request: replicas cannot be even';

const requests: [string, () => ReturnType<typeof send>][] = [
  ['a new cluster', () => send('POST', '', { name: 'never', cluster_template_id: recorded.template })],
  [
    'a resize',
    () => send('POST', `/${cluster}/actions/resize`, { node_count: 2, nodes_to_remove: ['node-1'] }),
  ],
  [
    'an upgrade',
    () =>
      send('POST', `/${cluster}/actions/upgrade`, {
        cluster_template: recorded.template,
        max_batch_size: 1,
      }),
  ],
  ['a PATCH', () => send('PATCH', `/${cluster}`, [{ op: 'replace', path: '/node_count', value: 3 }])],
  [
    'a PATCH of any attribute',
    () =>
      send('PATCH', `/${cluster}`, [{ op: 'replace', path: '/node_count', value: 3 }], {
        'content-type': extensionType,
      }),
  ],
  ['a new node group', () => send('POST', `/${cluster}/nodegroups`, { name: 'never' })],
  [
    'a PATCH of a node group',
    () =>
      send('PATCH', `/${cluster}/nodegroups/extra`, [{ op: 'replace', path: '/max_node_count', value: 9 }]),
  ],
  ['the removal of a node group', () => send('DELETE', `/${cluster}/nodegroups/extra`)],
];

describe('what the back end would refuse', () => {
  test.each(requests)('%s is answered with 4xx and accepted by nobody', async (_name, request) => {
    const { driver } = recorded;
    driver.refusing = [new Fault('invalid_input', refusal)];
    const deeds = driver.deeds(cluster).length;
    const before = (await send('GET', '/detail')).body;
    const answer = await request();
    expect([answer.status, answer.body.errors[0].detail]).toEqual([400, refusal]);
    expect((await send('GET', '/detail')).body).toEqual(before);
    expect(driver.deeds(cluster)).toHaveLength(deeds);
    expect(driver.tried.at(-1)?.after.nodeGroups.length).toBeGreaterThan(0);
  });

  test('is told in a dry run, beside all else', async () => {
    recorded.driver.refusing = [
      new Fault('invalid_input', refusal, { field: 'master_count' }),
      new Fault('conflict', 'the name is taken in the management cluster'),
    ];
    const body = { name: 'dry', cluster_template_id: recorded.template };
    const answer = await send('POST', '?dry_run=true', body);
    expect(answer.status).toBe(200);
    expect(answer.body.refusals).toMatchObject([
      { field: 'master_count', status: 400, message: refusal },
      { status: 409, message: 'the name is taken in the management cluster' },
    ]);
  });

  test('is asked with what is and what would be, and with the nodes that are to go', async () => {
    const { driver } = recorded;
    driver.refusing = [new Fault('invalid_input', refusal)];
    await send('POST', `/${cluster}/actions/resize`, { node_count: 5, nodes_to_remove: ['node-1'] });
    const asked = driver.tried.at(-1);
    const size = (desired: typeof asked extends undefined ? never : NonNullable<typeof asked>['after']) =>
      desired.nodeGroups.find(({ name }) => name === 'default-worker')?.nodeCount;
    if (asked?.before == null) throw new Error('the driver was not asked about a change');
    expect([size(asked.before), size(asked.after), asked.nodesToRemove]).toEqual([1, 5, ['node-1']]);
  });

  test('is not asked while the driver cannot work: the request is accepted and waits', async () => {
    const { driver, service } = recorded;
    driver.refusing = [new Fault('invalid_input', refusal)];
    driver.unready = 'not yet';
    const answer = await send('POST', `/${cluster}/actions/resize`, { node_count: 2 });
    expect(answer.status).toBe(202);
    driver.unready = null;
    driver.tell(null);
    expect((await settled(service, 'demo', cluster)).body).toMatchObject({ status: 'UPDATE_COMPLETE' });
  });
});
