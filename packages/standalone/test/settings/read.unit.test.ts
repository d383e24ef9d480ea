import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { defaults, readSettings, SettingsError } from '@jeroboam/standalone';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-settings-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function configFile(text: string): string {
  const file = path.join(directory, 'jeroboam.yaml');
  writeFileSync(file, text);
  return file;
}

async function problemsOf(args: string[], environment: NodeJS.ProcessEnv = {}): Promise<readonly string[]> {
  const error = await readSettings(args, environment).catch((caught: unknown) => caught);
  if (!(error instanceof SettingsError)) throw new Error('the settings were accepted');
  return error.problems;
}

describe('settings', () => {
  test('have their defaults where nothing is given', async () => {
    const { settings } = await readSettings([], {});
    expect(settings).toEqual(defaults());
    expect(settings).toMatchObject({
      port: 9511,
      host: '127.0.0.1',
      apiMaxLimit: 1000,
      maxClustersPerProject: 20,
    });
  });

  test('come from flags before the environment, from that before the file', async () => {
    const config = configFile('port: 1001\nhost: 10.0.0.1\nlog_level: warn\n');
    const environment = { JEROBOAM_PORT: '1002', JEROBOAM_HOST: '10.0.0.2', JEROBOAM_CONFIG: config };
    const { settings } = await readSettings(['--port', '1003'], environment);
    expect(settings).toMatchObject({ port: 1003, host: '10.0.0.2', logLevel: 'warn' });
  });

  test('take units for durations and sizes, and bare numbers', async () => {
    const { settings } = await readSettings(
      ['--shutdown-timeout', '5m', '--token-cache-time=90', '--body-limit', '2MiB'],
      { JEROBOAM_SIMULATED_DRIVER_DELAY: '250ms' },
    );
    expect(settings).toMatchObject({
      shutdownTimeout: 300_000,
      tokenCacheTime: 90_000,
      bodyLimit: 2_097_152,
      simulatedDriverDelay: 250,
    });
  });

  test('take lists as YAML lists and as text with commas', async () => {
    const config = configFile('x509_allowed_key_usage:\n  - Digital Signature\n  - Key Agreement\n');
    const { settings } = await readSettings(
      ['--config', config, '--network-driver-allowed', 'calico,cilium', '--network-driver-default', 'calico'],
      {},
    );
    expect(settings.x509AllowedKeyUsage).toEqual(['Digital Signature', 'Key Agreement']);
    expect(settings.networkDriverAllowed).toEqual(['calico', 'cilium']);
  });

  test('a switch may stand alone or be told', async () => {
    expect((await readSettings(['--trust-proxy-headers'], {})).settings.trustProxyHeaders).toBe(true);
    expect((await readSettings(['--metrics', 'false'], {})).settings.metrics).toBe(false);
  });

  test('an empty variable counts as not given', async () => {
    expect((await readSettings([], { JEROBOAM_PORT: '' })).settings.port).toBe(9511);
  });

  test('a variable that looks like a slip is remarked on', async () => {
    const { warnings } = await readSettings([], {
      JEROBOAM_PROT: '1',
      JEROBOAM_UNRELATED_THING_OF_OTHERS: '1',
    });
    expect(warnings).toEqual([
      'JEROBOAM_PROT in the environment is not a setting: did you mean JEROBOAM_PORT?',
    ]);
  });
});

describe('a mistake is told in one sentence that names the setting and its source:', () => {
  const cases: [what: string, args: string[], environment: NodeJS.ProcessEnv, sentence: string][] = [
    ['an unknown flag', ['--prot', '1'], {}, '--prot is not a flag: did you mean --port?'],
    ['a flag without its value', ['--port'], {}, '--port needs a value'],
    ['a stray word', ['nine'], {}, '"nine" is not a flag: settings are given as --name value, see --help'],
    [
      'a port out of range',
      ['--port', '70000'],
      {},
      '--port: "70000" is not a port, a whole number from 0 to 65535',
    ],
    [
      'a wrong type in the environment',
      [],
      { JEROBOAM_API_MAX_LIMIT: 'many' },
      'JEROBOAM_API_MAX_LIMIT in the environment: "many" is not a whole number from 1 to 100000',
    ],
    ['no switch', ['--sandbox', 'perhaps'], {}, '--sandbox: "perhaps" is neither true nor false'],
    ['no choice', ['--log-format', 'xml'], {}, '--log-format: "xml" is not one of pretty, json'],
    [
      'a bad URL',
      ['--keystone-auth-url', 'cloud:5000'],
      {},
      '--keystone-auth-url: "cloud:5000" is not a URL that begins with http:// or https://',
    ],
    [
      'a duration without sense',
      ['--shutdown-timeout', 'soon'],
      {},
      '--shutdown-timeout: "soon" is not a duration such as 500ms, 30s or 5m',
    ],
    [
      'a duration out of range',
      ['--shutdown-timeout', '2d'],
      {},
      '--shutdown-timeout: "2d" is not between 1s and 1h',
    ],
    [
      'a sandbox beside a real cloud',
      ['--sandbox', '--keystone-auth-url', 'http://cloud/v3'],
      { JEROBOAM_KEYSTONE_PASSWORD: 'secret' },
      '--sandbox asks for the sandbox cloud and --keystone-auth-url for another one: give only one of them',
    ],
    [
      'no cloud at all',
      [],
      { JEROBOAM_SANDBOX: 'false' },
      'JEROBOAM_SANDBOX in the environment is false, so a Keystone is needed: give --keystone-auth-url',
    ],
    [
      'a real cloud without a password',
      ['--keystone-auth-url', 'http://cloud/v3'],
      {},
      "--keystone-auth-url is given without the service user's password: set JEROBOAM_KEYSTONE_PASSWORD",
    ],
    [
      'a management cluster and none',
      ['--kubeconfig', 'here', '--management-cluster', 'off'],
      {},
      '--kubeconfig names a management cluster and --management-cluster asks for none: give only one of them',
    ],
    [
      'two services on one port',
      ['--port', '8000', '--sandbox-port', '8000'],
      {},
      '--sandbox-port is 8000, which is the port of the API: give another one',
    ],
  ];

  test.each(cases)('%s', async (_what, args, environment, sentence) => {
    expect(await problemsOf(args, environment)).toEqual([sentence]);
  });

  test('an unknown key of the file, with its line and the nearest name', async () => {
    const config = configFile('port: 1\n\ndata-dir: /srv\n');
    expect(await problemsOf(['--config', config])).toEqual([
      `data-dir in ${config}, line 3 is not a setting: did you mean data_dir?`,
    ]);
  });

  test('a file that is not YAML, or not of settings', async () => {
    const broken = configFile('port: [1\n');
    expect((await problemsOf(['--config', broken]))[0]).toMatch(/jeroboam\.yaml, line \d+: not valid YAML: /);
    expect(await problemsOf(['--config', configFile('- port\n')])).toEqual([
      `${broken}: must hold "key: value" lines, one for each setting`,
    ]);
  });

  test('a file that cannot be read', async () => {
    expect((await problemsOf(['--config', '/nowhere/at.all']))[0]).toMatch(
      /^--config: the file \/nowhere\/at\.all cannot be read: ENOENT/,
    );
  });

  test('several mistakes, all at once', async () => {
    expect(await problemsOf(['--port', 'x', '--host', ''])).toHaveLength(2);
  });

  test('without the value where that is a secret', async () => {
    const problems = await problemsOf(['--database-url', 'mysql://root:hunter2@db/x']);
    expect(problems).toEqual([
      '--database-url: the value is not a URL that begins with postgres:// or postgresql://',
    ]);
  });
});
