import { pathMatches } from './request-log.ts';

/** What is to go wrong, for which requests, and how often. */
export interface Fault {
  /** Any method when absent. */
  method?: string;
  /** The whole path, or a pattern to be found in it; the query is not looked at. */
  path: string | RegExp;
  /** How many requests it hits; one when absent. */
  times?: number;
  /** Answer this status at once, with `body` or the service's own error body. */
  status?: number;
  body?: unknown;
  /** Wait before going on (to `status`, or to the real answer). */
  delayMs?: number;
  /** Never answer: the connection stays open until the fault is cleared or the client gives up. */
  hang?: boolean;
}

// No request of a test should outlive the test by more than this, whatever was asked for.
const LONGEST_WAIT_MS = 10 * 60 * 1000;

interface ArmedFault extends Fault {
  left: number;
}

/** Faults that tests inject into the cloud. Each hit uses up one of the fault's `times`. */
export class Faults {
  #armed: ArmedFault[] = [];
  #release = new AbortController();

  /** Arms a fault; the returned function disarms it. */
  inject(fault: Fault): () => void {
    const armed = { ...fault, left: fault.times ?? 1 };
    this.#armed.push(armed);
    return () => {
      this.#armed = this.#armed.filter((other) => other !== armed);
    };
  }

  /** Disarms everything and lets go of the requests that hang. */
  clear(): void {
    this.#armed = [];
    this.#release.abort();
    this.#release = new AbortController();
  }

  /** How many hits are still to come. */
  get pending(): number {
    return this.#armed.reduce((sum, fault) => sum + fault.left, 0);
  }

  /** The fault that hits this request, if any; the oldest first. */
  take(method: string, path: string): Fault | undefined {
    const hit = this.#armed.find(
      (fault) => (fault.method === undefined || fault.method === method) && pathMatches(fault.path, path),
    );
    if (hit === undefined) return undefined;
    hit.left -= 1;
    if (hit.left <= 0) this.#armed = this.#armed.filter((fault) => fault !== hit);
    return hit;
  }

  /** Resolves after the time, or as soon as the faults are cleared or the client is gone. */
  wait(milliseconds: number | 'forever', gone: AbortSignal): Promise<void> {
    const limit = milliseconds === 'forever' ? LONGEST_WAIT_MS : Math.min(milliseconds, LONGEST_WAIT_MS);
    const enough = AbortSignal.any([gone, this.#release.signal]);
    return new Promise((resolve) => {
      if (enough.aborted) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        enough.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, limit);
      enough.addEventListener('abort', done);
    });
  }
}
