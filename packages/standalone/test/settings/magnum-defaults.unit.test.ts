import { DEFAULT_SIGNING_RULES } from '@jeroboam/server';
import { defaults } from '@jeroboam/standalone';
import { expect, test } from 'vitest';

test('what an operator leaves alone is as Magnum has it', () => {
  expect(defaults()).toMatchObject({
    port: 9511,
    host: '127.0.0.1',
    apiMaxLimit: 1000,
    maxClustersPerProject: 20,
    networkDriverAllowed: ['flannel', 'calico'],
    networkDriverDefault: 'flannel',
    defaultBootVolumeSize: 0,
    x509RsaKeySize: 2048,
    x509TermDays: 1825,
    x509AllowCa: false,
    x509AllowedExtensions: DEFAULT_SIGNING_RULES.allowedExtensions,
    x509AllowedKeyUsage: DEFAULT_SIGNING_RULES.allowedKeyUsage,
    certificatesForProjectMembers: false,
    trustProxyHeaders: false,
  });
});
