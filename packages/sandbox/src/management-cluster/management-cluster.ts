import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { KubeClient, type KubeAccess } from '@jeroboam/kubernetes';
import { stringify } from 'yaml';
import { openBox, type Box } from './box.ts';
import { openEndpoints, type Endpoints } from './endpoints.ts';
import { ManagementClusterError } from './errors.ts';
import { installClusterApi } from './install.ts';
import {
  adminKubeconfig,
  apiServer,
  controllerManager,
  etcd,
  healthPort,
  manager,
  pkiDirectory,
  ports,
  type Layout,
} from './servers.ts';
import { superviseIn } from './supervision.ts';
import { ensureToolchain } from './toolchain.ts';
import { providers } from './tools.ts';

const run = promisify(execFile);

export interface ManagementClusterOptions {
  /** Where its data, certificates and logs are. */
  directory: string;
  /** Told what is going on while it comes up, and what went wrong later. */
  progress?: (line: string) => void;
  cacheDirectory?: string;
  /** False: acknowledged writes may be lost when the machine itself dies. */
  durable?: boolean;
  signal?: AbortSignal;
}

/** A real management cluster on this machine: etcd, an API server, Cluster API and its in-memory infrastructure. */
export interface ManagementCluster {
  /** How its API is reached from within this process. */
  access: KubeAccess;
  /** For people and tools: a kubeconfig with an address on loopback. */
  kubeconfig: string;
  /** Makes the API server of a workload cluster, which is within the box, reachable on loopback. */
  openEndpoint(port: number): Promise<number>;
  /** For tests that break things: ends a program, which is then started again. */
  stopProgram(name: string): void;
  close(): Promise<void>;
}

const readyLimitMs = 120_000;

/** Starts it, building what is not built yet. Takes minutes the first time and seconds later. */
export async function startManagementCluster(options: ManagementClusterOptions): Promise<ManagementCluster> {
  const told = options.progress ?? (() => undefined);
  const toolchain = await ensureToolchain({
    progress: told,
    ...(options.cacheDirectory === undefined ? {} : { cacheDirectory: options.cacheDirectory }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const directory = path.resolve(options.directory);
  mkdirSync(path.join(directory, 'logs'), { recursive: true, mode: 0o700 });
  await run(toolchain.program('box'), ['pki', pkiDirectory(directory)]);
  const layout: Layout = { directory, toolchain, durable: options.durable ?? true };
  writeKubeconfig(adminKubeconfig(directory), directory, ports.api);

  let box: Box | null = null;
  const supervision = superviseIn(() => {
    if (box === null) throw new Error('a program was started before its box');
    return box;
  }, told);
  box = await openBox({
    program: toolchain.program('box'),
    socket: path.join(directory, 'box.sock'),
    exited: (name, how) => supervision.exited(name, how),
    broken: (how) => told(`the box of the management cluster ended: ${how}`),
  });
  const opened = box;
  const close = async (): Promise<void> => {
    supervision.end();
    await opened.close();
  };
  try {
    const access = accessFor(directory, opened);
    supervision.keep(etcd(layout));
    supervision.keep(apiServer(layout));
    const client = new KubeClient(access);
    await until('the API server', () => client.isReady(), options.signal);
    supervision.keep(controllerManager(layout));
    await installClusterApi(client, toolchain, directory);
    client.close();
    for (const provider of providers) supervision.keep(manager(layout, provider));
    for (const provider of providers)
      await until(provider.tool, () => isHealthy(opened, healthPort(provider)), options.signal);
    const endpoints = openEndpoints(opened);
    const kubeconfig = path.join(directory, 'kubeconfig');
    writeKubeconfig(kubeconfig, directory, await endpoints.open(ports.api, 0));
    return {
      access,
      kubeconfig,
      openEndpoint: (port) => endpoints.open(port),
      stopProgram: (name) => opened.stop(name),
      close: async () => {
        await closeAll(endpoints, close);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function closeAll(endpoints: Endpoints, close: () => Promise<void>): Promise<void> {
  // Connections through the box end with it, and only then do the listeners' last ones.
  await Promise.all([close(), endpoints.close()]);
}

function accessFor(directory: string, box: Box): KubeAccess {
  const pki = (name: string): string => readFileSync(path.join(pkiDirectory(directory), name), 'utf8');
  return {
    server: `https://127.0.0.1:${ports.api}`,
    certificateAuthority: pki('ca.crt'),
    clientCertificate: pki('admin.crt'),
    clientKey: pki('admin.key'),
    connect: () => box.connect(ports.api),
  };
}

function writeKubeconfig(file: string, directory: string, port: number): void {
  const inline = (name: string): string =>
    readFileSync(path.join(pkiDirectory(directory), name)).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'management',
    contexts: [{ name: 'management', context: { cluster: 'management', user: 'admin' } }],
    clusters: [
      {
        name: 'management',
        cluster: {
          server: `https://127.0.0.1:${port}`,
          'certificate-authority-data': inline('ca.crt'),
        },
      },
    ],
    users: [
      {
        name: 'admin',
        user: { 'client-certificate-data': inline('admin.crt'), 'client-key-data': inline('admin.key') },
      },
    ],
  };
  writeFileSync(file, stringify(config), { mode: 0o600 });
}

/** Waits for something to be so, asking ten times a second. */
async function until(what: string, isSo: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + readyLimitMs;
  while (!(await isSo())) {
    signal?.throwIfAborted();
    if (Date.now() > deadline)
      throw new ManagementClusterError(
        `${what} of the management cluster was not ready after ${readyLimitMs / 1000} s.`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Whether a manager says that it is ready. */
function isHealthy(box: Box, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get(
      { path: '/readyz', createConnection: () => box.connect(port), timeout: 5_000 },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    request.on('error', () => resolve(false));
    request.on('timeout', () => request.destroy());
  });
}
