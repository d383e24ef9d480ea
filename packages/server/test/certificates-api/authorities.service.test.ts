import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chainVerifies } from '../certificates/support/openssl.ts';
import { startRecordedService, type RecordedService } from '../conductor/support/recorded-service.ts';
import { settled } from '../support/clusters.ts';
import { fingerprint, kinds, requests, shownCa } from './support.ts';

let recorded: RecordedService;
let cluster: string;

beforeAll(async () => {
  recorded = await startRecordedService();
  cluster = await recorded.accept('certified');
  await settled(recorded.service, 'demo', cluster);
});
afterAll(() => recorded.service.close());

const sign = (body: Record<string, unknown>) =>
  recorded.service.request('demo', 'POST', '/v1/certificates', { cluster_uuid: cluster, ...body });

describe('the authorities of a cluster', () => {
  test('are three different ones, each with the name of the cluster', async () => {
    const shown = await Promise.all(kinds.map((kind) => shownCa(recorded.service, cluster, kind)));
    expect(new Set(shown.map((pem) => fingerprint(pem))).size).toBe(3);
    for (const pem of shown) {
      const ca = new X509Certificate(pem);
      expect(ca.subject).toBe('CN=certified');
      expect(ca.ca).toBe(true);
      expect(pem).toMatch(/-----END CERTIFICATE-----$/);
    }
  });

  test.each([undefined, 'kubernetes', 'kubelet', 'nonsense', ''])(
    'show the one of Kubernetes for %j',
    async (kind) => {
      expect(await shownCa(recorded.service, cluster, kind)).toBe(
        await shownCa(recorded.service, cluster, 'kubernetes'),
      );
    },
  );

  test('stay the same over a restart, and are others for another cluster', async () => {
    const before = await shownCa(recorded.service, cluster);
    await recorded.service.restart();
    expect(await shownCa(recorded.service, cluster)).toBe(before);
    const other = await recorded.accept('other');
    expect(await shownCa(recorded.service, other)).not.toBe(before);
  });

  test('can be had right after the answer, before the conductor came, and stay what was shown', async () => {
    const release = recorded.driver.hold('prepare');
    const fresh = await recorded.accept('fresh');
    const shown = await Promise.all(
      [...kinds, ...kinds].map((kind) => shownCa(recorded.service, fresh, kind)),
    );
    expect(new Set(shown).size).toBe(3);
    release();
    expect((await settled(recorded.service, 'demo', fresh)).body.status).toBe('CREATE_COMPLETE');
    for (const [index, kind] of kinds.entries())
      expect(await shownCa(recorded.service, fresh, kind)).toBe(shown[index]);
  });
});

describe('a certificate request', () => {
  test.each(['RSA', 'EC'] as const)('with an %s key is signed, and the chain verifies', async (algorithm) => {
    const csr = requests[algorithm];
    const answer = await sign({ csr });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body).toSorted()).toEqual(['cluster_uuid', 'csr', 'links', 'pem']);
    expect(answer.body).toMatchObject({ cluster_uuid: cluster, csr });
    expect(chainVerifies(answer.body.pem, await shownCa(recorded.service, cluster))).toBe(true);
    expect(new X509Certificate(answer.body.pem).subject).toBe('CN=admin\nO=system:masters');
  });

  test.each(kinds)('for %s is signed by that authority and no other', async (kind) => {
    const answer = await sign({ csr: requests.EC, ca_cert_type: kind });
    expect(answer.body.ca_cert_type).toBe(kind);
    const verdicts = await Promise.all(
      kinds.map(async (other) =>
        chainVerifies(answer.body.pem, await shownCa(recorded.service, cluster, other)),
      ),
    );
    expect(verdicts).toEqual(kinds.map((other) => other === kind));
  });

  test('never gets the same serial number twice', async () => {
    const csr = requests.EC;
    const serials = await Promise.all(
      Array.from({ length: 5 }, async () => new X509Certificate((await sign({ csr })).body.pem).serialNumber),
    );
    expect(new Set(serials).size).toBe(5);
  });

  test('is refused by name when it is none', async () => {
    const answer = await sign({ csr: 'garbage' });
    expect([answer.status, answer.body.errors[0].detail]).toEqual([400, "Received invalid csr b'garbage'."]);
  });
});
