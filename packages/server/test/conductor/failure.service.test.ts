import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settled } from '../support/clusters.ts';
import { startRecordedService, type RecordedService } from './support/recorded-service.ts';

let recorded: RecordedService;

beforeAll(async () => {
  recorded = await startRecordedService({
    change: (options) => ({ ...options, maxClustersPerProject: 100 }),
  });
});
afterAll(() => recorded.service.close());

const send = (method: string, path: string, body?: unknown) =>
  recorded.service.request('demo', method, `/v1${path}`, body);

const complete = async (name: string): Promise<string> => {
  const cluster = await recorded.accept(name);
  expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
  return cluster;
};

const outcome = async (cluster: string): Promise<{ status: string; status_reason: string | null }> =>
  (await settled(recorded.service, 'demo', cluster)).body;

describe('a driver that throws', () => {
  test.each(['prepare', 'create'] as const)(
    'in %s fails the creation in its own words, and the next change creates the cluster',
    async (method) => {
      const reason = 'No valid host was found for server default-master-0.';
      recorded.driver.fail(method, reason);
      const cluster = await recorded.accept(`fails-${method}`);
      const failed = (await settled(recorded.service, 'demo', cluster)).body;
      expect(failed).toMatchObject({ status: 'CREATE_FAILED', status_reason: reason, faults: {} });

      expect((await send('POST', `/clusters/${cluster}/actions/resize`, { node_count: 2 })).status).toBe(202);
      expect((await send('GET', `/clusters/${cluster}`)).body.status).toMatch(/^CREATE_/);
      expect(await outcome(cluster)).toMatchObject({
        status: 'CREATE_COMPLETE',
        status_reason: null,
        node_count: 2,
      });
      expect(recorded.driver.deeds(cluster).at(-1)?.method).toBe('create');
    },
  );

  const changes: [
    string,
    'apply' | 'rotateCa' | 'rotateCredential',
    (cluster: string) => Promise<{ status: number }>,
  ][] = [
    [
      'a resize',
      'apply',
      (cluster) => send('POST', `/clusters/${cluster}/actions/resize`, { node_count: 4 }),
    ],
    [
      'a PATCH',
      'apply',
      (cluster) => send('PATCH', `/clusters/${cluster}`, [{ op: 'replace', path: '/node_count', value: 4 }]),
    ],
    [
      'an upgrade',
      'apply',
      (cluster) =>
        send('POST', `/clusters/${cluster}/actions/upgrade`, {
          cluster_template: recorded.template,
          max_batch_size: 1,
        }),
    ],
    [
      'a change of bounds',
      'apply',
      (cluster) =>
        send('PATCH', `/clusters/${cluster}/nodegroups/default-worker`, [
          { op: 'replace', path: '/max_node_count', value: 9 },
        ]),
    ],
    ['a rotation of authorities', 'rotateCa', (cluster) => send('PATCH', `/certificates/${cluster}`)],
    ['a rotation of credentials', 'rotateCredential', (cluster) => send('PATCH', `/credentials/${cluster}`)],
  ];

  test.each(changes)('fails %s in its own words, and it can be asked again', async (_name, method, ask) => {
    const cluster = await complete('changes');
    recorded.driver.fail(method, 'Quota exceeded for cores.');
    expect((await ask(cluster)).status).toBe(202);
    expect(await outcome(cluster)).toMatchObject({
      status: 'UPDATE_FAILED',
      status_reason: 'Quota exceeded for cores.',
    });
    expect((await ask(cluster)).status).toBe(202);
    expect(await outcome(cluster)).toMatchObject({ status: 'UPDATE_COMPLETE', status_reason: null });
    await send('DELETE', `/clusters/${cluster}`);
  });

  test('fails the node group that was added, whose removal and addition then succeed', async () => {
    const cluster = await complete('group-fails');
    const group = { name: 'extra', node_count: 2 };
    recorded.driver.fail('apply', 'The image is not there.');
    await send('POST', `/clusters/${cluster}/nodegroups`, group);
    expect(await outcome(cluster)).toMatchObject({
      status: 'UPDATE_FAILED',
      faults: { extra: 'The image is not there.' },
    });
    expect((await send('GET', `/clusters/${cluster}/nodegroups/extra`)).body).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: 'The image is not there.',
    });
    expect((await send('DELETE', `/clusters/${cluster}/nodegroups/extra`)).status).toBe(204);
    expect(await outcome(cluster)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect((await send('POST', `/clusters/${cluster}/nodegroups`, group)).status).toBe(202);
    expect(await outcome(cluster)).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 3 });
  });

  test('fails a deletion in its own words, and it can be asked again', async () => {
    const cluster = await complete('delete-fails');
    recorded.driver.fail('delete', 'Port is in use.');
    await send('DELETE', `/clusters/${cluster}`);
    expect(await outcome(cluster)).toMatchObject({
      status: 'DELETE_FAILED',
      status_reason: 'Port is in use.',
    });
    for (const refused of [
      await send('POST', `/clusters/${cluster}/actions/resize`, { node_count: 2 }),
      await send('PATCH', `/certificates/${cluster}`),
      await send('PATCH', `/credentials/${cluster}`),
    ]) {
      expect(refused.status).toBe(400);
    }
    expect(await outcome(cluster)).toMatchObject({
      status: 'DELETE_FAILED',
      status_reason: 'Port is in use.',
    });
    await send('DELETE', `/clusters/${cluster}`);
    expect((await settled(recorded.service, 'demo', cluster)).status).toBe(404);
  });

  test('in a look is asked again until it answers, and nothing fails', async () => {
    recorded.driver.fail('observe', 'connection refused');
    const cluster = await recorded.accept('blind');
    expect(await outcome(cluster)).toMatchObject({ status: 'CREATE_COMPLETE', status_reason: null });
    expect(recorded.driver.deeds(cluster).filter(({ method }) => method === 'create')).toHaveLength(1);
  });
});

describe('a deletion accepted in the moment an operation was begun', () => {
  test('is handed to the driver and not taken for done', async () => {
    const client = new Client({ connectionString: recorded.service.connectionString });
    await client.connect();
    // The narrowest place: the deletion is committed together with the mark that the change has begun.
    await client.query(`
      create function delete_now() returns trigger language plpgsql as $$ begin
        delete from operation where id = new.id;
        update cluster set status = 'DELETE_IN_PROGRESS' where uuid = new.cluster_uuid;
        insert into operation (cluster_uuid, kind) values (new.cluster_uuid, 'delete');
        return null;
      end $$;
      create trigger delete_now after update of started on operation
        for each row when (new.kind = 'change') execute function delete_now();`);
    try {
      const cluster = await complete('narrow');
      await send('POST', `/clusters/${cluster}/actions/resize`, { node_count: 2 });
      expect((await settled(recorded.service, 'demo', cluster)).status).toBe(404);
      expect(recorded.driver.deeds(cluster).at(-1)?.method).toBe('delete');
      expect(recorded.driver.clusters.has(cluster)).toBe(false);
    } finally {
      await client.query('drop trigger delete_now on operation; drop function delete_now');
      await client.end();
    }
  });
});

describe('an error of the database while an operation begins', () => {
  test('is not the fault of the driver: the operation is tried again and succeeds', async () => {
    const client = new Client({ connectionString: recorded.service.connectionString });
    await client.connect();
    // A sequence outlives the rollback of the statement that fails, so that it fails once only.
    await client.query(`
      create sequence failures;
      create function fail_once() returns trigger language plpgsql as $$ begin
        if nextval('failures') = 1 then raise exception 'the disk is full'; end if;
        return new;
      end $$;
      create trigger fail_once before update of stack_id on cluster for each row execute function fail_once();`);
    try {
      const cluster = await recorded.accept('disk-full');
      expect(await outcome(cluster)).toMatchObject({ status: 'CREATE_COMPLETE', status_reason: null });
      expect((await client.query('select last_value::int as n from failures')).rows[0].n).toBeGreaterThan(1);
    } finally {
      await client.query(
        'drop trigger fail_once on cluster; drop function fail_once; drop sequence failures',
      );
      await client.end();
    }
  });
});
