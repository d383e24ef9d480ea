import { openBox, type Box } from './box.ts';
import { ManagementClusterError } from './errors.ts';
import { superviseIn, type Supervision } from './supervision.ts';

export interface KeptBoxOptions {
  program: string;
  directory: string;
  told: (line: string) => void;
  /** Brings up what shall run, at the start and again after the box itself has ended. */
  bringUp: (supervision: Supervision, signal: AbortSignal) => Promise<void>;
}

/** A box and the programs in it, kept running whatever ends: a program, or the box with all of them. */
export interface KeptBox {
  stop(name: string): void;
  kill(name: string): void;
  hold(name: string): () => void;
  close(): Promise<void>;
}

const backoff = { firstMs: 500, mostMs: 30_000, calmMs: 60_000 };

export async function keepBox(options: KeptBoxOptions): Promise<KeptBox> {
  const { told } = options;
  let box: Box | null = null;
  /** Ends the bringing up that is under way. */
  let attempt: AbortController | null = null;
  let failures = 0;
  let openedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let reopening: Promise<void> | null = null;
  let closed = false;

  const current = (): Box => {
    if (box === null) throw new ManagementClusterError('the management cluster is being started again');
    return box;
  };
  const supervision = superviseIn(current, told);

  async function open(): Promise<void> {
    openedAt = Date.now();
    const mine = new AbortController();
    attempt = mine;
    try {
      const opened: Box = await openBox({
        program: options.program,
        directory: options.directory,
        exited: (name, how) => (box === opened ? supervision.exited(name, how) : undefined),
        broken: (how) => (box === opened ? lost(how) : undefined),
      });
      box = opened;
      await options.bringUp(supervision, mine.signal);
      mine.signal.throwIfAborted();
    } catch (error) {
      await putAway();
      throw error;
    } finally {
      attempt = null;
    }
  }

  function lost(how: string): void {
    const why = `the box of the management cluster ended (${how})`;
    box = null;
    supervision.forget();
    if (attempt === null) reopenLater(why);
    else attempt.abort(new ManagementClusterError(why));
  }

  function reopenLater(why: string): void {
    if (closed) return;
    failures = Date.now() - openedAt > backoff.calmMs ? 1 : failures + 1;
    const delay = Math.min(backoff.mostMs, backoff.firstMs * 2 ** (failures - 1));
    told(`${why} and is started again in ${delay} ms`);
    timer = setTimeout(() => {
      reopening = open().then(
        () => told('the management cluster is back'),
        (error: Error) => reopenLater(`the management cluster did not come back: ${error.message},`),
      );
    }, delay);
  }

  async function putAway(): Promise<void> {
    const left = box;
    box = null;
    supervision.forget();
    await left?.close();
  }

  await open();
  return {
    stop: (name) => current().stop(name),
    kill: (name) => current().kill(name),
    hold: (name) => supervision.hold(name),
    async close() {
      closed = true;
      clearTimeout(timer);
      attempt?.abort(new ManagementClusterError('the management cluster is being closed'));
      await reopening;
      await putAway();
    },
  };
}
