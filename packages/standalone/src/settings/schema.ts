import type { SigningRules } from '@jeroboam/server';
import { DEFAULT_SIGNING_RULES, EXTENSION_OIDS, KEY_USAGE_NAMES } from '@jeroboam/server';

import { defaultDataDirectory } from './data-directory.ts';
import { choice, directory, file, integer, listOf, port, text, url, yesOrNo } from './kinds.ts';
import { duration, size } from './quantities.ts';
import { optional, withDefault } from './setting.ts';

const second = 1_000;
const minute = 60 * second;
const MiB = 1_048_576;
const http = url(['http:', 'https:']);
type ExtensionName = SigningRules['allowedExtensions'][number];
const extensionNames = Object.keys(EXTENSION_OIDS) as ExtensionName[];

/** Every setting there is. The order is that of the help. */
export const schema = {
  port: withDefault({
    group: 'API',
    kind: port,
    default: 9511,
    description: 'port of the API; 0 takes any free one',
  }),
  host: withDefault({ group: 'API', kind: text, default: '127.0.0.1', description: 'address to listen on' }),
  publicUrl: optional({
    group: 'API',
    kind: http,
    defaultText: "the request's own host",
    description: 'how clients reach the API, where that is not where it listens',
  }),
  apiMaxLimit: withDefault({
    group: 'API',
    kind: integer({ least: 1, most: 100_000 }),
    default: 1_000,
    description: 'longest page of a list',
  }),
  bodyLimit: withDefault({
    group: 'API',
    kind: size({ least: 1_024, most: 64 * MiB }),
    default: MiB,
    description: 'largest request body',
  }),
  trustProxyHeaders: withDefault({
    group: 'API',
    kind: yesOrNo,
    default: false,
    description: 'believe X-Forwarded-Proto and -Host; only behind a proxy that sets them',
  }),
  policyFile: optional({
    group: 'API',
    kind: file,
    defaultText: "Magnum's rules",
    description: 'rules in oslo.policy syntax that replace the default ones',
  }),
  shutdownTimeout: withDefault({
    group: 'API',
    kind: duration({ least: second, most: 60 * minute }),
    default: 30 * second,
    description: 'how long running requests may take to finish when the service is told to stop',
  }),

  config: optional({ group: 'Storage', kind: file, description: 'YAML file with settings' }),
  dataDir: withDefault({
    group: 'Storage',
    kind: directory,
    default: defaultDataDirectory(),
    description: 'where the database, generated secrets, the log and clouds.yaml are kept',
  }),
  databaseUrl: optional({
    group: 'Storage',
    kind: url(['postgres:', 'postgresql:']),
    defaultText: 'an embedded PostgreSQL in the data directory',
    description: 'PostgreSQL database to use',
    secret: true,
  }),
  sealingKeyFile: optional({
    group: 'Storage',
    kind: file,
    defaultText: 'DATA-DIR/sealing.keys, made at the first start',
    description: 'keys that seal private keys and credentials in the database',
  }),

  logLevel: withDefault({
    group: 'Logs and metrics',
    kind: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info' as const,
    description: 'least important messages to log',
  }),
  logFormat: withDefault({
    group: 'Logs and metrics',
    kind: choice(['pretty', 'json']),
    default: 'pretty' as const,
    description: 'how messages look on stderr; the log file has JSON lines',
  }),
  logFile: optional({
    group: 'Logs and metrics',
    kind: file,
    defaultText: 'DATA-DIR/jeroboam.log',
    description: 'log file; "none" for none',
  }),
  metricsHost: withDefault({
    group: 'Logs and metrics',
    kind: text,
    default: '127.0.0.1',
    description: 'address of the Prometheus metrics',
  }),
  metricsPort: optional({
    group: 'Logs and metrics',
    kind: port,
    defaultText: 'port + 2, or any free one',
    description: 'port of the Prometheus metrics (/metrics)',
  }),
  metrics: withDefault({
    group: 'Logs and metrics',
    kind: yesOrNo,
    default: true,
    description: 'serve Prometheus metrics',
  }),

  sandbox: optional({
    group: 'Sandbox cloud',
    kind: yesOrNo,
    defaultText: 'true unless a Keystone is given',
    description: 'run the sandbox cloud beside the API',
  }),
  sandboxPort: optional({
    group: 'Sandbox cloud',
    kind: port,
    defaultText: 'port + 1, or any free one',
    description: 'port of the sandbox cloud',
  }),
  simulatedDriverDelay: withDefault({
    group: 'Sandbox cloud',
    kind: duration({ least: 0, most: 24 * 60 * minute }),
    default: 5 * second,
    description: 'how long simulated clusters take for each operation',
  }),

  kubeconfig: optional({
    group: 'Management cluster',
    kind: file,
    defaultText: 'a management cluster of our own',
    description: 'existing management cluster with Cluster API that makes the clusters',
  }),
  managementCluster: withDefault({
    group: 'Management cluster',
    kind: choice(['auto', 'off']),
    default: 'auto' as const,
    description:
      'run a real one beside the sandbox cloud where Linux and Go are there; "off" simulates clusters',
  }),
  capiInfrastructure: withDefault({
    group: 'Management cluster',
    kind: choice(['in-memory']),
    default: 'in-memory' as const,
    description: 'what machines are made of',
  }),

  keystoneAuthUrl: optional({
    group: 'Keystone',
    kind: http,
    description: 'identity service, for example https://cloud:5000/v3',
  }),
  keystoneUsername: withDefault({
    group: 'Keystone',
    kind: text,
    default: 'jeroboam',
    description: 'service user',
  }),
  keystonePassword: optional({
    group: 'Keystone',
    kind: text,
    description: "the service user's password; better given by the environment than by a flag",
    secret: true,
  }),
  keystoneUserDomain: withDefault({
    group: 'Keystone',
    kind: text,
    default: 'Default',
    description: "the service user's domain",
  }),
  keystoneProject: withDefault({
    group: 'Keystone',
    kind: text,
    default: 'service',
    description: "the service user's project",
  }),
  keystoneProjectDomain: withDefault({
    group: 'Keystone',
    kind: text,
    default: 'Default',
    description: "that project's domain",
  }),
  keystoneRegion: optional({
    group: 'Keystone',
    kind: text,
    defaultText: 'the first of the catalogue',
    description: 'region whose services are used',
  }),
  keystoneInterface: withDefault({
    group: 'Keystone',
    kind: choice(['public', 'internal', 'admin']),
    default: 'public' as const,
    description: 'which endpoints of the catalogue are used',
  }),
  tokenCacheTime: withDefault({
    group: 'Keystone',
    kind: duration({ least: 0, most: 60 * minute }),
    default: minute,
    description: 'for how long a revoked token may still be honoured',
  }),

  maxClustersPerProject: withDefault({
    group: 'Clusters',
    kind: integer({ least: 0, most: 1_000_000 }),
    default: 20,
    description: 'cluster quota of projects that have none of their own',
  }),
  defaultDriver: optional({
    group: 'Clusters',
    kind: text,
    defaultText: 'the first by name',
    description: 'driver of templates that name none',
  }),
  networkDriverAllowed: withDefault({
    group: 'Clusters',
    kind: listOf(text),
    default: ['flannel', 'calico'],
    description: 'network drivers that templates may name; "all" for every one',
  }),
  networkDriverDefault: withDefault({
    group: 'Clusters',
    kind: text,
    default: 'flannel',
    description: 'network driver of templates that name none',
  }),
  defaultBootVolumeSize: withDefault({
    group: 'Clusters',
    kind: integer({ least: 0, most: 65_536 }),
    default: 0,
    description: 'GiB of boot volume where neither labels nor template say; 0 boots from the image',
  }),

  certificatesForProjectMembers: withDefault({
    group: 'Certificates',
    kind: yesOrNo,
    default: false,
    description: "let every member of a cluster's project fetch and sign, not only its creator",
  }),
  x509TermDays: withDefault({
    group: 'Certificates',
    kind: integer({ least: 1, most: 36_500 }),
    default: DEFAULT_SIGNING_RULES.termOfValidityDays,
    description: 'days for which signed certificates are valid',
  }),
  x509RsaKeySize: withDefault({
    group: 'Certificates',
    kind: integer({ least: 2_048, most: 8_192 }),
    default: 2_048,
    description: 'bits of generated RSA keys',
  }),
  x509AllowCa: withDefault({
    group: 'Certificates',
    kind: yesOrNo,
    default: DEFAULT_SIGNING_RULES.allowCa,
    description: 'sign certificates of authorities too',
  }),
  x509AllowedExtensions: withDefault({
    group: 'Certificates',
    kind: listOf(choice(extensionNames)),
    default: DEFAULT_SIGNING_RULES.allowedExtensions,
    description: 'extensions that signed certificates may have',
  }),
  x509AllowedKeyUsage: withDefault({
    group: 'Certificates',
    kind: listOf(choice(KEY_USAGE_NAMES)),
    default: DEFAULT_SIGNING_RULES.allowedKeyUsage,
    description: 'key usages that signed certificates may have',
  }),
};

export type Schema = typeof schema;
export type SettingName = keyof Schema;
type ValueOf<S> = S extends { kind: { parse(given: unknown): infer T }; default?: infer D }
  ? undefined extends D
    ? T | undefined
    : T
  : never;
/** What the service runs by, each value checked. */
export type Settings = { [Name in SettingName]: ValueOf<Schema[Name]> };

export const settingNames = Object.keys(schema) as SettingName[];
