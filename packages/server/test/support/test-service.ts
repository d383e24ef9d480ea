import { DriverRegistry, type Driver } from '@jeroboam/domain';
import { sessionForCredentials, type Session } from '@jeroboam/openstack';
import {
  memoryObjectStore,
  SimulatedDriver,
  simulatedCloud,
  startSandboxCloud,
  type ObjectStore,
  type SandboxCloud,
} from '@jeroboam/sandbox';
import pino, { type Logger } from 'pino';
import { createTestDatabase } from '../../../sandbox/test/support/database.ts';
import { DEFAULT_SIGNING_RULES } from '../../src/certificates/index.ts';
import type { ServerOptions } from '../../src/options.ts';
import { compilePolicy } from '../../src/policy/index.ts';
import { generateKeyFileLine, KeyRing } from '../../src/sealing/index.ts';
import { createServer } from '../../src/server.ts';

/** The people of the sandbox cloud and where they work. */
const people = {
  admin: 'admin',
  demo: 'demo',
  reader: 'demo',
  bob: 'second',
} as const;

export type Person = keyof typeof people;

export interface TestServiceOptions {
  /** How long the simulated driver takes for everything. */
  delayMs?: number;
  /** Changes of the server's options. */
  change?: (options: ServerOptions) => ServerOptions;
  /** More drivers beside the simulated ones. */
  drivers?: Driver[];
  logger?: Logger;
}

export interface TestService {
  url: string;
  cloud: SandboxCloud;
  /** A token of each person, and one that nobody ever got. */
  tokens: Record<Person | 'bad', string>;
  /** Ids of projects and users, named as the conformance fixtures name them. */
  vars: Record<string, string>;
  connectionString: string;
  store: ObjectStore;
  options: ServerOptions;
  /** Sends a request as a person; the body is sent as JSON. */
  request(
    person: Person | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestAnswer>;
  /** Ends the server and starts another on the same store, as after a crash. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely; the assertions are the check
  body: any;
}

const passwords = {
  admin: 'pw-admin',
  demo: 'pw-demo',
  reader: 'pw-reader',
  bob: 'pw-bob',
  jeroboam: 'pw-service',
};

const serviceUser = {
  username: 'jeroboam',
  password: passwords.jeroboam,
  userDomainName: 'Default',
  projectName: 'service',
  projectDomainName: 'Default',
};

async function tokenOf(cloud: SandboxCloud, person: Person): Promise<string> {
  const domain = { id: 'default' };
  const auth = {
    identity: {
      methods: ['password'],
      password: { user: { name: person, domain, password: passwords[person] } },
    },
    scope: { project: { name: people[person], domain } },
  };
  const answer = await fetch(`${cloud.identityUrl}/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth }),
  });
  const token = answer.headers.get('x-subject-token');
  if (token === null) throw new Error(`no token for ${person}: ${await answer.text()}`);
  return token;
}

async function simulatedDrivers(
  store: ObjectStore,
  session: Session,
  delayMs: number,
): Promise<SimulatedDriver[]> {
  const common = { store, cloud: simulatedCloud(session), delayMs };
  return [
    await SimulatedDriver.open({ ...common, name: 'k8s_capi_helm_v1' }),
    await SimulatedDriver.open({
      ...common,
      name: 'simulated_fixed_control_plane',
      provides: [{ serverType: 'bm', os: 'ubuntu', coe: 'kubernetes' }],
      capabilities: {
        controlPlaneResize: false,
        rotateCredential: false,
        upgrade: false,
        rotateCaCertificates: true,
      },
    }),
  ];
}

/** The whole service on a database of its own: real PostgreSQL, real HTTP, sandbox cloud, simulated drivers. */
export async function startTestService(settings: TestServiceOptions = {}): Promise<TestService> {
  const database = await createTestDatabase();
  const store = memoryObjectStore();
  const cloud = await startSandboxCloud({ host: '127.0.0.1', port: 0, store, passwords });
  const session = sessionForCredentials(cloud.identityUrl, { kind: 'password', ...serviceUser });
  const drivers = [
    ...(await simulatedDrivers(store, session, settings.delayMs ?? 10)),
    ...(settings.drivers ?? []),
  ];
  const plain: ServerOptions = {
    database: { connectionString: database.connectionString },
    keystone: { authUrl: cloud.identityUrl, ...serviceUser, cacheSeconds: 1 },
    drivers: new DriverRegistry(drivers, { defaultDriver: 'k8s_capi_helm_v1' }),
    policy: compilePolicy(),
    keyRing: KeyRing.parse(generateKeyFileLine()),
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
    networkDrivers: { allowed: ['flannel', 'calico'], default: 'flannel' },
    defaultBootVolumeSize: 0,
    // Small keys: the tests prove who may have them and how they are kept, not how hard they are.
    certificates: { rsaKeySize: 1024, signing: DEFAULT_SIGNING_RULES, forProjectMembers: false },
    logger: settings.logger ?? pino({ level: 'silent' }),
    hostname: 'conductor-1',
  };
  const options = settings.change?.(plain) ?? plain;
  let server = await createServer(options);
  let { url } = await server.listen();
  cloud.setContainerInfraUrl(url);

  const tokens = { bad: 'gAAAAABnotavalidtoken' } as Record<Person | 'bad', string>;
  for (const person of Object.keys(people) as Person[]) tokens[person] = await tokenOf(cloud, person);
  const vars = Object.fromEntries([
    ...(['admin', 'demo', 'second'] as const).map((name) => [`project.${name}`, cloud.projects[name]]),
    ...(Object.keys(people) as Person[]).map((name) => [`user.${name}`, cloud.users[name]]),
  ]);

  return {
    get url() {
      return url;
    },
    cloud,
    tokens,
    vars,
    connectionString: database.connectionString,
    store,
    options,
    async request(person, method, path, body, headers = {}) {
      const answer = await fetch(url + path, {
        method,
        headers: {
          accept: 'application/json',
          'openstack-api-version': 'container-infra latest',
          ...(person === null ? {} : { 'x-auth-token': tokens[person] }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, body: parseOrNull(text) };
    },
    async restart() {
      await server.close();
      server = await createServer(options);
      ({ url } = await server.listen());
      cloud.setContainerInfraUrl(url);
    },
    async close() {
      await server.close();
      await cloud.close();
      await database.drop();
    },
  };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
