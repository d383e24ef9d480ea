import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildRequest } from '../certificates/support/requests.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { outcome } from './support/outcome.ts';
import { enrol } from './support/people.ts';
import { send, type Ask } from './support/requests.ts';
import { makeScene, type Scene } from './support/scene.ts';

interface Setting {
  service: TestService;
  scene: Scene;
  tokens: Record<string, string>;
}

async function setUp(forProjectMembers: boolean): Promise<Setting> {
  const service = await startTestService({
    change: (options) => ({ ...options, certificates: { ...options.certificates, forProjectMembers } }),
  });
  const scene = await makeScene(service, 'demo');
  const tokens = {
    creator: service.tokens.demo,
    colleague: await enrol(service, 'carol', 'member', { project: 'demo' }),
    'reader of the project': service.tokens.reader,
    'administrator of the project': await enrol(service, 'dana', 'admin', { project: 'demo' }),
    'administrator of another project': service.tokens.admin,
    'member of another project': service.tokens.bob,
  };
  return { service, scene, tokens };
}

const fetchCa = ({ cluster }: Scene, kind = ''): Ask => ({
  method: 'GET',
  path: `/v1/certificates/${cluster}${kind === '' ? '' : `?ca_cert_type=${kind}`}`,
});
const signFor = ({ cluster }: Scene, kind?: string): Ask => ({
  method: 'POST',
  path: '/v1/certificates',
  body: { cluster_uuid: cluster, csr: buildRequest(), ...(kind === undefined ? {} : { ca_cert_type: kind }) },
});

const kinds = ['kubernetes', 'etcd', 'front-proxy', 'nonsense'];

/** Who, then what fetching and signing answer without and with the operator's switch. */
const rights: [who: string, own: [number, number], shared: [number, number]][] = [
  ['creator', [200, 201], [200, 201]],
  ['colleague', [403, 403], [200, 201]],
  ['reader of the project', [403, 403], [200, 403]],
  ['administrator of the project', [200, 201], [200, 201]],
  ['administrator of another project', [404, 400], [404, 400]],
  ['member of another project', [404, 400], [404, 400]],
];

describe.each([
  ['for their creator', false],
  ['also for members of the project', true],
])('certificates %s', (_words, forProjectMembers) => {
  let setting: Setting;

  beforeAll(async () => {
    setting = await setUp(forProjectMembers);
  });
  afterAll(() => setting.service.close());

  it.each(rights)('are fetched and signed as they should be by the %s', async (who, own, shared) => {
    const { service, scene, tokens } = setting;
    const [fetching, signing] = forProjectMembers ? shared : own;
    for (const kind of kinds) {
      const token = tokens[who] ?? '';
      const fetched = await send(service, token, fetchCa(scene, kind));
      expect([kind, outcome(fetched, fetching)]).toEqual([kind, fetching]);
      const signed = await send(service, token, signFor(scene, kind));
      expect([kind, outcome(signed, signing)]).toEqual([kind, signing]);
      for (const answer of [fetched, signed]) {
        expect(answer.text).not.toContain('PRIVATE KEY');
        expect(answer.text.includes('BEGIN CERTIFICATE-')).toBe(answer.status < 400);
      }
    }
  });

  it('are rotated by no reader and nobody of another project', async () => {
    const { service, scene, tokens } = setting;
    const rotate = { method: 'PATCH', path: `/v1/certificates/${scene.cluster}` };
    const before = await send(service, tokens['creator'] ?? '', fetchCa(scene));
    const refusals = [
      ['reader of the project', 403],
      ['member of another project', 404],
      ['administrator of another project', 404],
    ] as const;
    for (const [who, status] of refusals)
      expect([who, (await send(service, tokens[who] ?? '', rotate)).status]).toEqual([who, status]);
    expect((await send(service, tokens['creator'] ?? '', fetchCa(scene))).text).toBe(before.text);
  });
});
