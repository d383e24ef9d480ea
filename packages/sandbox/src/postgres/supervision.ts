import type { Cluster } from './bring-up.ts';
import { bringUp } from './bring-up.ts';
import type { Postmaster } from './postmaster.ts';
import { shutDown } from './postmaster.ts';
import { removeTemporarySocketDirectory } from './socket.ts';

/** Keeps a server up: one that dies is brought up again, later and later while it keeps dying. */
export interface Supervision {
  current(): Postmaster;
  /** Shuts the server down for good. */
  stop(): Promise<void>;
  /** Looks away and leaves the server running, for the next start to adopt. */
  release(): void;
}

const firstPauseMs = 100;
const longestPauseMs = 30_000;
/** A server that has lived so long was healthy: its death is not taken for another failure of the same kind. */
const healthyMs = 60_000;

export function supervise(cluster: Cluster, first: Postmaster): Supervision {
  let current = first;
  let over = false;
  let wake: (() => void) | undefined;
  const whenOver = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)));
  const watching = watch();

  async function watch(): Promise<void> {
    let pause = firstPauseMs;
    for (;;) {
      const begun = Date.now();
      const how = await Promise.race([current.ended, whenOver]);
      if (over || how === undefined) return;
      if (Date.now() - begun > healthyMs) pause = firstPauseMs;
      cluster.log(`PostgreSQL (pid ${current.pid}) ended unexpectedly (${how}): starting it again`);
      await restart(pause);
      pause = Math.min(pause * 2, longestPauseMs);
    }
  }

  async function restart(pause: number): Promise<void> {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, pause).unref()), whenOver]);
    if (over) return;
    try {
      current = (await bringUp(cluster)).up;
      cluster.log(`PostgreSQL runs again (pid ${current.pid})`);
    } catch (error) {
      cluster.log(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    current: () => current,
    async stop() {
      over = true;
      wake?.();
      // A restart that is under way is waited for: what it brings up must go down as well.
      await watching;
      await shutDown(current);
      removeTemporarySocketDirectory(current.socketDirectory);
    },
    release() {
      over = true;
      wake?.();
    },
  };
}
