// The load generator: a process of its own, so that its CPU is nobody else's. It is told what to do over IPC and
// ends with the channel.

import { runClosedLoop } from './closed-loop.ts';
import { Connection } from './connection.ts';
import type { FromGenerator, Job, ToGenerator } from './messages.ts';

const tell = (message: FromGenerator): void => {
  process.send?.(message);
};

async function work(job: Job): Promise<void> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => Connection.open(job.host, job.port)),
  );
  const loop = {
    connections,
    requests: job.requests.map((request) => Buffer.from(request)),
    status: job.status,
  };
  try {
    const warmUp = await runClosedLoop(loop, job.warmUpSeconds);
    if (warmUp.failures > 0) {
      tell({ kind: 'measured', measured: warmUp });
      return;
    }
    // Between the two nothing is under way: what the service uses from here on belongs to the figure.
    const go = new Promise<void>((resolve) => (start = resolve));
    tell({ kind: 'warm' });
    await go;
    tell({ kind: 'measured', measured: await runClosedLoop(loop, job.seconds) });
  } finally {
    for (const connection of connections) connection.close();
  }
}

let start: () => void = () => {};
process.on('message', (message: ToGenerator) => {
  if (message.kind === 'go') start();
  else void work(message.job);
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole terminal; the benchmark ends its children itself.
process.on('SIGINT', () => {});
