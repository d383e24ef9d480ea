// A server made to be killed: `server-process.ts <settings as JSON>`. It tells its address in a line of JSON.

import { DriverRegistry } from '@jeroboam/domain';
import { sessionForCredentials } from '@jeroboam/openstack';
import { postgresObjectStore, simulatedCloud, SimulatedDriver } from '@jeroboam/sandbox';
import { Pool } from 'pg';
import pino from 'pino';
import {
  compilePolicy,
  createServer,
  DEFAULT_SIGNING_RULES,
  KeyRing,
  type ServerOptions,
} from '../../../src/index.ts';

/** What the parent decides. */
export interface ProcessSettings {
  connectionString: string;
  keystone: ServerOptions['keystone'];
  keyLine: string;
  delayMs: number;
  /** Tells in a line when it is asked to create a cluster, and never does. */
  stuck?: boolean;
}

const settings = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;
const { keystone, connectionString } = settings;
const session = sessionForCredentials(keystone.authUrl, { kind: 'password', ...keystone });
const driver = await SimulatedDriver.open({
  name: 'k8s_capi_helm_v1',
  store: await postgresObjectStore(new Pool({ connectionString, max: 2 })),
  cloud: simulatedCloud(session),
  delayMs: settings.delayMs,
});
if (settings.stuck === true) {
  driver.createCluster = () => {
    process.stdout.write(`${JSON.stringify({ stuck: true })}\n`);
    return new Promise(() => undefined);
  };
}
const server = await createServer({
  database: { connectionString },
  keystone,
  drivers: new DriverRegistry([driver]),
  policy: compilePolicy(),
  keyRing: KeyRing.parse(settings.keyLine),
  api: {
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    maxLimit: 1000,
    bodyLimit: 1_048_576,
    trustProxyHeaders: false,
  },
  metrics: null,
  maxClustersPerProject: 20,
  networkDrivers: { allowed: ['flannel'], default: 'flannel' },
  defaultBootVolumeSize: 0,
  certificates: { rsaKeySize: 1024, signing: DEFAULT_SIGNING_RULES, forProjectMembers: false },
  logger: pino({ level: 'error' }, pino.destination(2)),
  hostname: 'killed',
});
const { url } = await server.listen();
process.stdout.write(`${JSON.stringify({ url })}\n`);
