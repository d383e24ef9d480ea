import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRecordedService, type RecordedService } from '../conductor/support/recorded-service.ts';
import { withDatabase } from '../store/support/rows.ts';
import { settled } from '../support/clusters.ts';

let recorded: RecordedService;

beforeAll(async () => {
  recorded = await startRecordedService({
    change: (options) => ({ ...options, maxClustersPerProject: 100 }),
  });
});
afterAll(() => recorded.service.close());

const send = (method: string, path: string, body?: unknown) =>
  recorded.service.request('demo', method, `/v1${path}`, body);

const count = (table: string): Promise<number> =>
  withDatabase(recorded.service.connectionString, async (client) => {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    return rows[0]?.count ?? -1;
  });

describe('a cluster that was accepted', () => {
  test('can be read at once with both default groups, before any driver did anything', async () => {
    const release = recorded.driver.hold('prepare');
    const cluster = await recorded.accept('readable', { node_count: 3 });
    const shown = await send('GET', `/clusters/${cluster}`);
    expect(shown.status).toBe(200);
    expect(shown.body).toMatchObject({
      status: 'CREATE_IN_PROGRESS',
      status_reason: null,
      node_count: 3,
      master_count: 1,
      cluster_id: null,
      api_address: null,
    });
    const groups = await send('GET', `/clusters/${cluster}/nodegroups`);
    expect(groups.body.nodegroups).toMatchObject([
      {
        name: 'default-master',
        role: 'master',
        status: 'CREATE_IN_PROGRESS',
        node_count: 1,
        is_default: true,
      },
      {
        name: 'default-worker',
        role: 'worker',
        status: 'CREATE_IN_PROGRESS',
        node_count: 3,
        is_default: true,
      },
    ]);
    const listed = await send('GET', '/clusters');
    expect(listed.body.clusters.map(({ uuid }: { uuid: string }) => uuid)).toContain(cluster);
    release();
    await settled(recorded.service, 'demo', cluster);
  });

  test('has the references of its certificates and its operation in the store with the answer', async () => {
    const release = recorded.driver.hold('prepare');
    const cluster = await recorded.accept('referenced');
    await withDatabase(recorded.service.connectionString, async (client) => {
      const refs = await client.query(
        'select ca_cert_ref, magnum_cert_ref, etcd_ca_cert_ref, front_proxy_ca_cert_ref from cluster where uuid = $1',
        [cluster],
      );
      const values = Object.values(refs.rows[0]);
      expect(new Set(values).size).toBe(4);
      for (const ref of values) expect(ref).toMatch(/^[0-9a-f-]{36}$/);
      const queued = await client.query('select kind from operation where cluster_uuid = $1', [cluster]);
      expect(queued.rows).toEqual([{ kind: 'create' }]);
    });
    release();
    await settled(recorded.service, 'demo', cluster);
  });

  test('stays CREATE_IN_PROGRESS for as long as its driver does not finish', async () => {
    recorded.driver.finishing = false;
    const cluster = await recorded.accept('endless');
    await recorded.driver.wasAsked('observe', cluster);
    expect((await send('GET', `/clusters/${cluster}`)).body.status).toBe('CREATE_IN_PROGRESS');
    recorded.driver.finishing = true;
    expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
  });

  test.each(['nodegroup', 'operation'])('leaves nothing behind when writing its %s fails', async (table) => {
    const before = { clusters: await count('cluster'), groups: await count('nodegroup') };
    await withDatabase(recorded.service.connectionString, (client) =>
      client.query(`
        create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no more room'; end $$;
        create trigger refuse before insert on ${table} for each row execute function refuse()`),
    );
    try {
      const answer = await send('POST', '/clusters', {
        name: 'half',
        cluster_template_id: recorded.template,
      });
      expect(answer.status).toBe(500);
      // What the database said is for the log, not for the client.
      expect(answer.text).not.toContain('no more room');
      expect({ clusters: await count('cluster'), groups: await count('nodegroup') }).toEqual(before);
      expect((await send('GET', '/clusters/half')).status).toBe(404);
    } finally {
      await withDatabase(recorded.service.connectionString, (client) =>
        client.query(`drop trigger refuse on ${table}; drop function refuse`),
      );
    }
  });
});

describe('a change that was accepted', () => {
  test('shows on its group and its cluster as UPDATE_IN_PROGRESS in the next answer', async () => {
    const cluster = await recorded.accept('resized');
    await settled(recorded.service, 'demo', cluster);
    const release = recorded.driver.hold('apply');
    expect((await send('POST', `/clusters/${cluster}/actions/resize`, { node_count: 5 })).body).toEqual({
      uuid: cluster,
    });
    expect((await send('GET', `/clusters/${cluster}`)).body).toMatchObject({
      status: 'UPDATE_IN_PROGRESS',
      node_count: 5,
    });
    expect((await send('GET', `/clusters/${cluster}/nodegroups/default-worker`)).body).toMatchObject({
      status: 'UPDATE_IN_PROGRESS',
      node_count: 5,
    });
    expect((await send('GET', `/clusters/${cluster}/nodegroups/default-master`)).body.status).toBe(
      'CREATE_COMPLETE',
    );
    release();
    await settled(recorded.service, 'demo', cluster);
    expect((await send('GET', `/clusters/${cluster}/nodegroups/default-worker`)).body.status).toBe(
      'UPDATE_COMPLETE',
    );
  });

  test('of the node groups can be read at once, and a group goes only when its nodes are gone', async () => {
    const cluster = await recorded.accept('grouped');
    await settled(recorded.service, 'demo', cluster);
    const release = recorded.driver.hold('apply');
    const added = await send('POST', `/clusters/${cluster}/nodegroups`, { name: 'more', node_count: 2 });
    expect((await send('GET', `/clusters/${cluster}/nodegroups/${added.body.uuid}`)).body).toMatchObject({
      name: 'more',
      status: 'CREATE_IN_PROGRESS',
      is_default: false,
    });
    release();
    await settled(recorded.service, 'demo', cluster);
    const releaseAgain = recorded.driver.hold('apply');
    expect((await send('DELETE', `/clusters/${cluster}/nodegroups/more`)).status).toBe(204);
    expect((await send('GET', `/clusters/${cluster}/nodegroups/more`)).body.status).toBe(
      'DELETE_IN_PROGRESS',
    );
    expect((await send('DELETE', `/clusters/${cluster}/nodegroups/more`)).status).toBe(204);
    releaseAgain();
    await settled(recorded.service, 'demo', cluster);
    expect((await send('GET', `/clusters/${cluster}/nodegroups/more`)).status).toBe(404);
  });

  test('is not lost among many at once, and many at once do not block each other', async () => {
    const cluster = await recorded.accept('crowded');
    await settled(recorded.service, 'demo', cluster);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? send('PATCH', `/clusters/${cluster}`, [{ op: 'replace', path: '/node_count', value: index + 1 }])
          : send('POST', `/clusters/${cluster}/nodegroups`, { name: `group-${index}`, node_count: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    await settled(recorded.service, 'demo', cluster);
    const { body } = await send('GET', `/clusters/${cluster}/nodegroups`);
    expect(body.nodegroups).toHaveLength(22);
    const deeds = recorded.driver.deeds(cluster).filter(({ method }) => method === 'apply');
    expect(deeds).toHaveLength(40);
  });
});
