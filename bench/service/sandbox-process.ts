// The sandbox cloud as a process of its own: what it costs is the cloud's, not the service's. It is told the
// passwords over IPC, tells its addresses, and ends with the channel.

import { memoryObjectStore, startSandboxCloud } from '@jeroboam/sandbox';
import type { CloudAddresses, CloudOrder } from './sandbox.ts';

process.once('message', (order: CloudOrder) => {
  void serve(order);
});

async function serve({ passwords }: CloudOrder): Promise<void> {
  // In memory: writes of the cloud would count as work of the service's database.
  const cloud = await startSandboxCloud({
    host: '127.0.0.1',
    port: 0,
    store: memoryObjectStore(),
    passwords,
    region: 'RegionOne',
  });
  process.once('disconnect', () => void cloud.close().finally(() => process.exit()));
  const addresses: CloudAddresses = {
    identityUrl: cloud.identityUrl,
    project: cloud.projects.demo,
    user: cloud.users.demo,
  };
  process.send?.(addresses);
}

// Ctrl-C reaches the whole terminal; the benchmark ends its children itself.
process.on('SIGINT', () => {});
