import type { Connection } from './connection.ts';
import type { Measured } from './messages.ts';

export interface Loop {
  connections: readonly Connection[];
  requests: readonly Buffer[];
  status: number;
}

/** Nobody reads the thousandth failure of a service that is down. */
const failuresBeforeGivingUp = 100;

/** Sends the next request on each connection as soon as it has its answer, until the time is over. */
export async function runClosedLoop(loop: Loop, seconds: number): Promise<Measured> {
  const { requests, status } = loop;
  const latencies: number[] = [];
  let [turn, bytes, failures] = [0, 0, 0];
  let firstFailure: string | null = null;
  const cpuBefore = process.cpuUsage();
  const begin = performance.now();
  const end = begin + seconds * 1000;

  const drive = (connection: Connection): Promise<void> =>
    new Promise((resolve) => {
      const next = (): void => {
        const sent = performance.now();
        const request = requests[turn++ % requests.length];
        if (sent >= end || failures >= failuresBeforeGivingUp || request === undefined) {
          resolve();
          return;
        }
        connection.send(request, (outcome) => {
          if (outcome instanceof Error || outcome.status !== status) {
            failures++;
            firstFailure ??=
              outcome instanceof Error ? outcome.message : `${outcome.status} ${outcome.start}`;
          } else {
            latencies.push(performance.now() - sent);
            bytes += outcome.length;
          }
          // A closed connection fails at once; without this the stack would grow with each attempt.
          if (outcome instanceof Error) setImmediate(next);
          else next();
        });
      };
      next();
    });
  await Promise.all(loop.connections.map(drive));

  const wall = (performance.now() - begin) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  latencies.sort((a, b) => a - b);
  return {
    requests: latencies.length,
    seconds: wall,
    bytes,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    slowest: latencies.at(-1) ?? 0,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    failures,
    firstFailure,
  };
}

/** The smallest value that so large a share of all does not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
