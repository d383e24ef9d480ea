import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chainVerifies } from '../certificates/support/openssl.ts';
import { startRecordedService, type RecordedService } from '../conductor/support/recorded-service.ts';
import { withDatabase } from '../store/support/rows.ts';
import { makeCluster, makeTemplate, settled } from '../support/clusters.ts';
import { kinds, requests, shownCa } from './support.ts';

let recorded: RecordedService;

beforeAll(async () => {
  recorded = await startRecordedService();
});
afterAll(() => recorded.service.close());

const rotate = (cluster: string) => recorded.service.request('demo', 'PATCH', `/v1/certificates/${cluster}`);

const authoritiesOf = (cluster: string): Promise<string[]> =>
  Promise.all(kinds.map((kind) => shownCa(recorded.service, cluster, kind)));

const storedFor = (cluster: string): Promise<number> =>
  withDatabase(recorded.service.connectionString, async (client) => {
    const { rows } = await client.query(
      'select count(*)::int as count from certificate where cluster_uuid = $1',
      [cluster],
    );
    return rows[0].count as number;
  });

const completeCluster = async (name: string): Promise<string> => {
  const cluster = await recorded.accept(name);
  await settled(recorded.service, 'demo', cluster);
  return cluster;
};

describe('a rotation of the authorities', () => {
  test('by the simulated driver that can do it gives three new ones, and new certificates come from them', async () => {
    const template = await makeTemplate(recorded.service, 'demo', {
      server_type: 'bm',
      driver: 'simulated_fixed_control_plane',
    });
    const cluster = await makeCluster(recorded.service, 'demo', template, { name: 'rotated' });
    const before = await authoritiesOf(cluster);
    expect((await rotate(cluster)).body).toEqual({ uuid: cluster });
    expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('UPDATE_COMPLETE');
    const after = await authoritiesOf(cluster);
    expect(new Set([...before, ...after]).size).toBe(6);
    const signed = await recorded.service.request('demo', 'POST', '/v1/certificates', {
      cluster_uuid: cluster,
      csr: requests.EC,
    });
    expect(chainVerifies(signed.body.pem, after[0] ?? '')).toBe(true);
    expect(chainVerifies(signed.body.pem, before[0] ?? '')).toBe(false);
    expect(await storedFor(cluster)).toBe(4);
  });

  test('leaves the old ones in force until the driver has taken the new ones', async () => {
    const cluster = await completeCluster('waiting');
    const before = await authoritiesOf(cluster);
    recorded.driver.finishing = false;
    const release = recorded.driver.hold('rotateCa');
    await rotate(cluster);
    await recorded.driver.wasAsked('rotateCa', cluster);
    expect(await authoritiesOf(cluster)).toEqual(before);
    recorded.driver.asked.length = 0;
    release();
    await recorded.driver.wasAsked('observe', cluster);
    expect(await authoritiesOf(cluster)).toEqual(before);
    // The new ones are made and wait, so that a conductor that dies now need not make others.
    expect(await storedFor(cluster)).toBe(8);
    await recorded.service.restart();
    recorded.driver.finishing = true;
    await settled(recorded.service, 'demo', cluster);
    const after = await authoritiesOf(cluster);
    for (const [index, pem] of after.entries()) expect(pem).not.toBe(before[index]);
    expect(await storedFor(cluster)).toBe(4);
  });

  test('that the driver fails leaves the old ones in force and nothing behind, and can be asked again', async () => {
    const cluster = await completeCluster('refused');
    const before = await authoritiesOf(cluster);
    recorded.driver.fail('rotateCa', 'The API server did not come back.');
    await rotate(cluster);
    expect((await settled(recorded.service, 'demo', cluster)).body).toMatchObject({
      status: 'UPDATE_FAILED',
      status_reason: 'The API server did not come back.',
    });
    expect(await authoritiesOf(cluster)).toEqual(before);
    expect(await storedFor(cluster)).toBe(4);
    await rotate(cluster);
    expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('UPDATE_COMPLETE');
    expect(await authoritiesOf(cluster)).not.toEqual(before);
  });

  test('takes effect even when a change was queued behind it', async () => {
    const cluster = await completeCluster('queued-behind');
    const before = await authoritiesOf(cluster);
    const release = recorded.driver.hold('rotateCa');
    await rotate(cluster);
    const resized = await recorded.service.request('demo', 'POST', `/v1/clusters/${cluster}/actions/resize`, {
      node_count: 3,
    });
    expect(resized.status).toBe(202);
    release();
    expect((await settled(recorded.service, 'demo', cluster)).body).toMatchObject({
      status: 'UPDATE_COMPLETE',
      node_count: 3,
    });
    const after = await authoritiesOf(cluster);
    for (const [index, pem] of after.entries()) expect(pem).not.toBe(before[index]);
  });

  test('shows whoever asks meanwhile either the old ones or the new ones', async () => {
    const cluster = await completeCluster('watched');
    const [before] = await authoritiesOf(cluster);
    const seen = new Set<string>();
    const done = new AbortController();
    const watching = (async () => {
      while (!done.signal.aborted) seen.add(await shownCa(recorded.service, cluster));
    })();
    await rotate(cluster);
    await settled(recorded.service, 'demo', cluster);
    done.abort();
    await watching;
    const [after] = await authoritiesOf(cluster);
    for (const pem of seen) expect([before, after]).toContain(pem);
    expect(await storedFor(cluster)).toBe(4);
  });

  test.each([
    'CREATE_IN_PROGRESS',
    'CREATE_FAILED',
    'UPDATE_IN_PROGRESS',
    'DELETE_IN_PROGRESS',
    'DELETE_FAILED',
  ])('is refused in status %s', async (status) => {
    const cluster = await completeCluster('in-status');
    const setStatus = (to: string): Promise<unknown> =>
      withDatabase(recorded.service.connectionString, (client) =>
        client.query('update cluster set status = $1 where uuid = $2', [to, cluster]),
      );
    await setStatus(status);
    const answer = await rotate(cluster);
    expect([answer.status, answer.body.errors[0].detail]).toEqual([
      400,
      `Updating a cluster when status is "${status}" is not supported.`,
    ]);
    expect((await recorded.service.request('demo', 'GET', `/v1/clusters/${cluster}`)).body.status).toBe(
      status,
    );
    await setStatus('CREATE_COMPLETE');
  });

  test('is refused where the cluster has no TLS', async () => {
    const template = await makeTemplate(recorded.service, 'demo', {
      driver: 'recording',
      tls_disabled: true,
    });
    const cluster = await makeCluster(recorded.service, 'demo', template);
    const answer = await rotate(cluster);
    expect([answer.status, answer.body.errors[0].detail]).toEqual([
      400,
      'Rotating the CA certificate on a non-TLS cluster is not supported',
    ]);
  });
});
