import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

import { startManagementCluster, type ManagementCluster } from '@jeroboam/sandbox';
import type { TestProject } from 'vitest/node';

import { isAlive } from '../../src/postgres/processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The one management cluster of this run: its kubeconfig, its directory, and the socket by which tests break it. */
    managementCluster: { kubeconfig: string; directory: string; control: string };
  }
}

const prefix = 'jeroboam-test-management-';

/** One management cluster for the whole run; a test works in namespaces of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  clearAwayFormerRuns();
  const directory = mkdtempSync(path.join(os.tmpdir(), `${prefix}${process.pid}-`));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  try {
    const begun = Date.now();
    const cluster = await startManagementCluster({
      directory,
      // Nothing here outlives the run, so nothing need survive a power cut.
      durable: false,
      progress: (line) => console.log(line),
    });
    console.log(`the management cluster is ready after ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    const control = path.join(directory, 'control.sock');
    const server = await openControl(cluster, control);
    project.provide('managementCluster', { kubeconfig: cluster.kubeconfig, directory, control });
    return async () => {
      server.close();
      server.closeAllConnections();
      await cluster.close();
      removeDirectory();
    };
  } catch (error) {
    removeDirectory();
    throw error;
  }
}

/** Tests run in processes of their own; through this they end programs, hold them down, and open ports of the box. */
async function openControl(cluster: ManagementCluster, socket: string): Promise<http.Server> {
  const held = new Map<string, () => void>();
  const orders: Record<string, (what: string) => unknown> = {
    stop: (name) => cluster.stopProgram(name),
    kill: (name) => cluster.killProgram(name),
    hold: (name) => held.set(name, cluster.holdProgram(name)).size,
    release: (name) => held.get(name)?.(),
    open: (port) => cluster.openEndpoint(Number(port)),
  };
  const server = http.createServer((request, response) => {
    const [, order = '', what = ''] = (request.url ?? '').split('/');
    Promise.resolve()
      .then(() => orders[order]?.(what))
      .then(
        (answer) => response.end(JSON.stringify(answer ?? null)),
        (error: Error) => response.writeHead(500).end(error.message),
      );
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return server;
}

/** A box ends with the run that started it, however that ended; what is left is its directory. */
function clearAwayFormerRuns(): void {
  for (const name of readdirSync(os.tmpdir())) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length).split('-')[0]))) continue;
    rmSync(path.join(os.tmpdir(), name), { recursive: true, force: true });
  }
}
