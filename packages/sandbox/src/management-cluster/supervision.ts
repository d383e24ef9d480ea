import type { Box, Program } from './box.ts';

/** Programs that shall run: what ends without being told to is started again, each time a little later, up to a limit. */
export interface Supervision {
  /** From now on the program shall run, in the box there is. */
  keep(program: Program): void;
  exited(name: string, how: string): void;
  /** Ends a program and keeps it from running until the answer is called. */
  hold(name: string): () => void;
  /** The box is gone, and everything in it: nothing is started until it is kept again. */
  forget(): void;
}

interface Kept {
  program: Program;
  failures: number;
  startedAt: number;
  running: boolean;
  timer?: NodeJS.Timeout;
}

const backoff = { firstMs: 500, mostMs: 15_000, calmMs: 60_000 };

export function superviseIn(box: () => Box, told: (line: string) => void): Supervision {
  const kept = new Map<string, Kept>();
  const held = new Set<string>();

  function start(one: Kept): void {
    one.startedAt = Date.now();
    one.running = true;
    box().start(one.program);
  }

  return {
    keep(program) {
      const one = { program, failures: 0, startedAt: 0, running: false };
      kept.set(program.name, one);
      if (!held.has(program.name)) start(one);
    },
    exited(name, how) {
      const one = kept.get(name);
      if (one === undefined) return;
      one.running = false;
      if (held.has(name)) return;
      // One that ran well for a while has earned a quick restart.
      one.failures = Date.now() - one.startedAt > backoff.calmMs ? 1 : one.failures + 1;
      const delay = Math.min(backoff.mostMs, backoff.firstMs * 2 ** (one.failures - 1));
      told(
        `${name} of the management cluster ended (${how}) and is started again in ${delay} ms; see ${one.program.log}`,
      );
      one.timer = setTimeout(() => start(one), delay);
    },
    hold(name) {
      held.add(name);
      clearTimeout(kept.get(name)?.timer);
      box().kill(name);
      return () => {
        const one = kept.get(name);
        // One whose end has not been heard of yet is started again when it is.
        if (held.delete(name) && one?.running === false) start(one);
      };
    },
    forget() {
      for (const { timer } of kept.values()) clearTimeout(timer);
      kept.clear();
    },
  };
}
