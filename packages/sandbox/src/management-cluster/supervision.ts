import type { Box, Program } from './box.ts';

/** Starts what ended without being told to, each time a little later, up to a limit. */
export interface Supervision {
  keep(program: Program): void;
  exited(name: string, how: string): void;
  end(): void;
}

const backoff = { firstMs: 500, mostMs: 15_000, calmMs: 60_000 };

export function superviseIn(box: () => Box, told: (line: string) => void): Supervision {
  const kept = new Map<string, { program: Program; failures: number; startedAt: number }>();
  const timers = new Set<NodeJS.Timeout>();
  let ended = false;
  return {
    keep(program) {
      kept.set(program.name, { program, failures: 0, startedAt: Date.now() });
      box().start(program);
    },
    exited(name, how) {
      const one = kept.get(name);
      if (one === undefined || ended) return;
      // One that ran well for a while has earned a quick restart.
      one.failures = Date.now() - one.startedAt > backoff.calmMs ? 1 : one.failures + 1;
      const delay = Math.min(backoff.mostMs, backoff.firstMs * 2 ** (one.failures - 1));
      told(
        `${name} of the management cluster ended (${how}) and is started again in ${delay} ms; see ${one.program.log}`,
      );
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (ended) return;
        one.startedAt = Date.now();
        box().start(one.program);
      }, delay);
      timers.add(timer);
    },
    end() {
      ended = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
