import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { KubeClient, type KubeAccess } from '@jeroboam/kubernetes';
import { adminAccess, writeKubeconfig } from './admin-access.ts';
import { openEndpoints } from './endpoints.ts';
import { openGateway, type Gateway } from './gateway.ts';
import { installClusterApi } from './install.ts';
import { keepBox } from './kept-box.ts';
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
import type { Supervision } from './supervision.ts';
import { ensureToolchain } from './toolchain.ts';
import { providers } from './tools.ts';
import { until } from './until.ts';

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
  /** How its API is reached from within this process; it stays good when the cluster is started again. */
  access: KubeAccess;
  /** For people and tools: a kubeconfig with an address on loopback. */
  kubeconfig: string;
  /** Makes the API server of a workload cluster, which is within the box, reachable on loopback. */
  openEndpoint(port: number): Promise<number>;
  /** For tests that break things: ends a program in order, or not, which is then started again. */
  stopProgram(name: string): void;
  killProgram(name: string): void;
  /** Kills a program and keeps it from running until the answer is called. */
  holdProgram(name: string): () => void;
  close(): Promise<void>;
}

/** Where the kubeconfig for people and tools is, once it is up. */
export const kubeconfigIn = (directory: string): string => path.join(path.resolve(directory), 'kubeconfig');

/** Starts it, building what is not built yet. Takes minutes the first time and seconds later. */
export async function startManagementCluster(options: ManagementClusterOptions): Promise<ManagementCluster> {
  const { signal } = options;
  const told = options.progress ?? (() => undefined);
  const toolchain = await ensureToolchain({
    progress: told,
    ...(options.cacheDirectory === undefined ? {} : { cacheDirectory: options.cacheDirectory }),
    ...(signal === undefined ? {} : { signal }),
  });
  told('the management cluster is starting');
  const directory = path.resolve(options.directory);
  mkdirSync(path.join(directory, 'logs'), { recursive: true, mode: 0o700 });
  await run(toolchain.program('box'), ['pki', pkiDirectory(directory)]);
  const layout: Layout = { directory, toolchain, durable: options.durable ?? true };
  writeKubeconfig(adminKubeconfig(directory), directory, ports.api);

  const gateway = openGateway(directory);
  const access = adminAccess(directory, gateway);
  const client = new KubeClient(access);
  const endpoints = openEndpoints(gateway);
  const closeWays = async (): Promise<void> => {
    client.close();
    await endpoints.close();
    gateway.close();
  };
  try {
    const box = await keepBox({
      program: toolchain.program('box'),
      directory,
      told,
      bringUp: (supervision, lost) =>
        bringUp(
          { layout, supervision, client, gateway },
          signal === undefined ? lost : AbortSignal.any([lost, signal]),
        ),
    });
    const kubeconfig = kubeconfigIn(directory);
    writeKubeconfig(kubeconfig, directory, await endpoints.open(ports.api, 0));
    return {
      access,
      kubeconfig,
      openEndpoint: (port) => endpoints.open(port),
      stopProgram: (name) => box.stop(name),
      killProgram: (name) => box.kill(name),
      holdProgram: (name) => box.hold(name),
      close: async () => {
        await box.close();
        await closeWays();
      },
    };
  } catch (error) {
    await closeWays();
    throw error;
  }
}

interface Parts {
  layout: Layout;
  supervision: Supervision;
  client: KubeClient;
  gateway: Gateway;
}

/** Each when what it needs is there: one that is started too early ends, and waits for its next turn. */
async function bringUp({ layout, supervision, client, gateway }: Parts, signal: AbortSignal): Promise<void> {
  supervision.keep(etcd(layout));
  supervision.keep(apiServer(layout));
  await until('the API server', () => client.isReady(), signal);
  supervision.keep(controllerManager(layout));
  await installClusterApi(client, layout.toolchain, layout.directory, signal);
  for (const provider of providers) supervision.keep(manager(layout, provider));
  for (const provider of providers)
    await until(provider.tool, () => isHealthy(gateway, healthPort(provider)), signal);
}

/** Whether a manager says that it is ready. */
function isHealthy(gateway: Gateway, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get(
      { path: '/readyz', createConnection: () => gateway.connect(port), timeout: 5_000 },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    request.on('error', () => resolve(false));
    request.on('timeout', () => request.destroy());
  });
}
