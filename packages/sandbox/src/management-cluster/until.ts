import { setTimeout as sleep } from 'node:timers/promises';
import { ManagementClusterError } from './errors.ts';

const limitMs = 120_000;

/** Waits for something of the management cluster to be so, asking ten times a second. */
export async function until(what: string, isSo: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await isSo())) {
    signal?.throwIfAborted();
    if (Date.now() > deadline)
      throw new ManagementClusterError(
        `${what} of the management cluster ${what.endsWith('s') ? 'were' : 'was'} not ready after ${limitMs / 1000} s`,
      );
    await sleep(100);
  }
}
