import { expect, test } from 'vitest';

import { caKindFor } from '../../src/certificates/index.ts';

test.each([
  ['etcd', 'etcd'],
  ['front_proxy', 'front_proxy'],
  ['front-proxy', 'front_proxy'],
  ['kubernetes', 'kubernetes'],
  ['kubelet', 'kubernetes'],
  ['nope', 'kubernetes'],
  ['ETCD', 'kubernetes'],
  ['', 'kubernetes'],
  [undefined, 'kubernetes'],
])('ca_cert_type %j means the %s authority', (caCertType, kind) => {
  expect(caKindFor(caCertType)).toBe(kind);
});
