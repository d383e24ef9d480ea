import { nextMessage } from '../service/child.ts';
import type { Parties } from '../service/parties.ts';
import type { ApiProcess } from '../service/api.ts';
import type { FromGenerator, Job, ToGenerator } from '../load/messages.ts';
import type { Figure } from '../result.ts';
import type { ScenarioName } from '../scenarios.ts';
import { cpuSecondsOf, cpuSecondsOfTree, memoryOf } from './proc.ts';

export type Outcome =
  /** Begin and end of the measured time by the monotonic clock, in microseconds. */
  { figure: Figure; window: { from: number; to: number } } | { failure: string };

const slackMs = 90_000;

/** Lets the generator do a job and tells what it took from everybody. */
export async function measure(
  parties: Parties,
  api: ApiProcess,
  scenario: ScenarioName,
  job: Job,
): Promise<Outcome> {
  const { generator } = parties;
  const cpuNow = () => ({
    api: cpuSecondsOf(api.pid),
    postgres: cpuSecondsOfTree(parties.postgres.pid),
    sandbox: cpuSecondsOf(parties.cloud.pid),
  });
  const patience = (job.seconds + job.warmUpSeconds) * 1000 + slackMs;
  const ask = (message: ToGenerator): Promise<FromGenerator> => {
    const answer = nextMessage<FromGenerator>(generator, 'the load generator', patience);
    generator.send(message);
    return answer;
  };

  const warm = await ask({ kind: 'prepare', job });
  if (warm.kind === 'measured') return failed(warm.measured);
  const [before, from] = [cpuNow(), monotonicMicroseconds()];
  const done = await ask({ kind: 'go' });
  const [after, to] = [cpuNow(), monotonicMicroseconds()];
  if (done.kind !== 'measured') throw new Error('the load generator answered out of turn');

  const { measured } = done;
  if (measured.failures > 0) return failed(measured);
  if (measured.requests === 0) return { failure: 'no request was answered in time' };
  const each = (seconds: number): number => (seconds * 1000) / measured.requests;
  const figure: Figure = {
    scenario,
    connections: job.connections,
    requests: measured.requests,
    seconds: measured.seconds,
    perSecond: measured.requests / measured.seconds,
    p50: measured.p50,
    p99: measured.p99,
    slowest: measured.slowest,
    bytes: Math.round(measured.bytes / measured.requests),
    cpu: {
      api: each(after.api - before.api),
      postgres: each(after.postgres - before.postgres),
      sandbox: each(after.sandbox - before.sandbox),
      generator: each(measured.cpuSeconds),
    },
    rss: memoryOf(api.pid).rss,
  };
  return { figure, window: { from, to } };
}

const failed = (measured: { failures: number; firstFailure: string | null }): Outcome => ({
  failure: `${measured.failures} requests failed, the first with: ${measured.firstFailure}`,
});

/** The clock that V8 stamps profiles with; it is the same in all processes of a machine. */
const monotonicMicroseconds = (): number => Number(process.hrtime.bigint() / 1000n);
