// A process that keeps a management cluster, made to be killed: `keeper-process.ts <directory>`. It tells what it does in JSON
// lines, writes objects without end and tells of each only after the API server acknowledged it. A line on standard input is
// an order: a program to be killed.

import { createInterface } from 'node:readline';

import { configMaps, KubeClient } from '@jeroboam/kubernetes';
import { startManagementCluster } from '@jeroboam/sandbox';

const tell = (event: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(event)}\n`);

try {
  const cluster = await startManagementCluster({
    directory: process.argv[2] ?? '',
    progress: (line) => tell({ event: 'log', line }),
  });
  process.on('SIGTERM', () => void cluster.close().then(() => process.exit(0)));
  createInterface(process.stdin).on('line', (name) => cluster.killProgram(name));
  tell({ event: 'up', kubeconfig: cluster.kubeconfig });

  const client = new KubeClient(cluster.access);
  for (let number = Date.now(); ; number += 1) {
    const name = `object-${number}`;
    const metadata = { name, namespace: 'default' };
    try {
      await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
      tell({ event: 'acknowledged', name });
    } catch {
      // While a program is away nothing is acknowledged; the next object is tried a moment later.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
} catch (error) {
  tell({ event: 'refused', message: (error as Error).message });
  process.exitCode = 1;
}
