import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';

import { KubeconfigError, parseKubeconfig, readKubeconfig } from '../src/index.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const config = (cluster: Record<string, unknown>, user: Record<string, unknown>) => ({
  'current-context': 'here',
  contexts: [
    { name: 'elsewhere', context: { cluster: 'other', user: 'other' } },
    { name: 'here', context: { cluster: 'c', user: 'u' } },
  ],
  clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.5:6443', ...cluster } }],
  users: [{ name: 'u', user }],
});

const parsed = (cluster: Record<string, unknown>, user: Record<string, unknown>) =>
  parseKubeconfig(stringify(config(cluster, user)));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-kubeconfig-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('a kubeconfig', () => {
  test('gives the server and the certificates of its current context', () => {
    const access = parsed(
      { 'certificate-authority-data': base64('the authority'), 'tls-server-name': 'api.example' },
      { 'client-certificate-data': base64('the certificate'), 'client-key-data': base64('the key') },
    );
    expect(access).toEqual({
      server: 'https://10.0.0.5:6443',
      certificateAuthority: 'the authority',
      clientCertificate: 'the certificate',
      clientKey: 'the key',
      serverName: 'api.example',
    });
  });

  test('may name files, which are sought beside it', () => {
    writeFileSync(path.join(directory, 'ca.crt'), 'the authority');
    writeFileSync(path.join(directory, 'token'), 'the token\n');
    writeFileSync(
      path.join(directory, 'config'),
      stringify(config({ 'certificate-authority': 'ca.crt' }, { tokenFile: 'token' })),
    );
    expect(readKubeconfig(path.join(directory, 'config'))).toEqual({
      server: 'https://10.0.0.5:6443',
      certificateAuthority: 'the authority',
      token: 'the token',
    });
  });

  test('may ask not to check the server, and only where it says so in so many words', () => {
    expect(parsed({ 'insecure-skip-tls-verify': true }, {}).insecureSkipVerify).toBe(true);
    expect(parsed({ 'insecure-skip-tls-verify': 'true' }, {})).not.toHaveProperty('insecureSkipVerify');
  });
});

describe('a kubeconfig is refused with the reason', () => {
  test.each([
    ['that is no YAML', '{', 'is no YAML'],
    ['that is empty', '', 'is empty'],
    ['without a current context', 'contexts: []', 'has no current-context'],
    ['whose context is missing', 'current-context: gone', 'no entry "gone" in contexts'],
    [
      'that wants a program run',
      stringify(config({}, { exec: { command: 'rm' } })),
      'give a token or a certificate',
    ],
    ['without a server', stringify(config({ server: 'nonsense' }, {})), 'has no server'],
    ['whose file is missing', stringify(config({ 'certificate-authority': 'absent.crt' }, {})), 'absent.crt'],
  ])('%s', (_which, yaml, reason) => {
    expect(() => parseKubeconfig(yaml)).toThrow(KubeconfigError);
    expect(() => parseKubeconfig(yaml)).toThrow(reason);
  });

  test('that cannot be read', () => {
    expect(() => readKubeconfig(path.join(directory, 'absent'))).toThrow(/cannot be read/);
  });

  test('without telling what secrets it holds', () => {
    const yaml = stringify(config({ server: 'nonsense' }, { token: 'sesame', password: 'sesame' }));
    expect(() => parseKubeconfig(yaml)).toThrow(expect.not.stringContaining('sesame') as Error);
    expect(() => parseKubeconfig(`token: sesame\n  broken: [`)).toThrow(KubeconfigError);
  });
});
