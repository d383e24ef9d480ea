import { Fault } from '@jeroboam/domain';

/** Pages with more rows than this are long. */
const longFrom = 100;
/** Of so many lists it is remembered that they are long. */
const remembered = 1_000;

/** Makes pages, long ones in turn. */
export interface PageMaker {
  /** `list` names what is listed for whom; `page` makes the page and tells how many rows it has. */
  make<T>(list: string, limit: number, page: () => Promise<{ rows: number; answer: T }>): Promise<T>;
}

/**
 * A page of a thousand clusters is megabytes while it is made. One after the other takes no longer than all at once,
 * since they share one thread, and the memory of the service stays that of one. How long a page will be is not known
 * before it is read, so lists are taken for what they were last time: who has few clusters never waits.
 */
export function createPageMaker({ atOnce = 1, patienceMs = 30_000 } = {}): PageMaker {
  let running = 0;
  const waiting: (() => void)[] = [];
  const long = new Set<string>();

  function enter(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1);
        const message =
          'The service is busy with long lists. Try again, or ask for shorter pages with limit.';
        reject(new Fault('busy', message, { field: 'limit' }));
      }, patienceMs);
      waiting.push(turn);
    });
  }

  function leave(): void {
    const next = waiting.shift();
    // The place goes to whoever waits, so the count stays as it is.
    if (next === undefined) running -= 1;
    else next();
  }

  function learn(list: string, rows: number): void {
    if (rows <= longFrom) long.delete(list);
    else if (long.size < remembered) long.add(list);
  }

  return {
    async make(list, limit, page) {
      const inTurn = limit > longFrom && long.has(list);
      if (inTurn) await enter();
      try {
        const { rows, answer } = await page();
        if (limit > longFrom) learn(list, rows);
        return answer;
      } finally {
        if (inTurn) leave();
      }
    },
  };
}
