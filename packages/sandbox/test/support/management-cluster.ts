import http from 'node:http';
import { text } from 'node:stream/consumers';

import { readKubeconfig, type KubeAccess } from '@jeroboam/kubernetes';
import { inject } from 'vitest';

/** The management cluster of this run, as a test sees it. */
export interface TestManagementCluster {
  access: KubeAccess;
  kubeconfig: string;
  directory: string;
  /** Ends a program in order, or with SIGKILL; it is then started again. */
  stopProgram(name: string): Promise<void>;
  killProgram(name: string): Promise<void>;
  /** Kills a program and keeps it down until the answer is called. */
  holdProgram(name: string): Promise<() => Promise<void>>;
  /** Makes a port of the box reachable on loopback. */
  openEndpoint(port: number): Promise<number>;
}

export function managementClusterOfThisRun(): TestManagementCluster {
  const { kubeconfig, directory, control } = inject('managementCluster');
  const order = async (path: string): Promise<unknown> => JSON.parse(await post(control, path));
  return {
    access: readKubeconfig(kubeconfig),
    kubeconfig,
    directory,
    stopProgram: async (name) => void (await order(`/stop/${name}`)),
    killProgram: async (name) => void (await order(`/kill/${name}`)),
    holdProgram: async (name) => {
      await order(`/hold/${name}`);
      return async () => void (await order(`/release/${name}`));
    },
    openEndpoint: async (port) => Number(await order(`/open/${port}`)),
  };
}

function post(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.request({ socketPath, path, method: 'POST', timeout: 30_000 }, (answer) => {
      text(answer).then(
        (body) => (answer.statusCode === 200 ? resolve(body) : reject(new Error(body))),
        reject,
      );
    });
    request.on('timeout', () => request.destroy(new Error(`${path} took too long`)));
    request.on('error', reject);
    request.end();
  });
}
