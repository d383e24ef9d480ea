import { generateKeyPair } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const generateInThreadPool = promisify(generateKeyPair);

/** An RSA key pair, fresh. */
export interface RsaKeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export type GenerateRsaKeyPair = (bits: number) => Promise<RsaKeyPair>;

/**
 * How many keys are made at once. Node has four worker threads for files, name lookups and cryptography together: a burst
 * of new clusters must leave some of them to the requests that only want to read.
 */
const KEYS_AT_ONCE = 2;

/** Makes a key pair off the event loop, in turn with all others of this process. */
export const generateRsaKeyPair: GenerateRsaKeyPair = inTurn(KEYS_AT_ONCE, (bits) =>
  generateInThreadPool('rsa', { modulusLength: bits, publicExponent: 0x10001 }),
);

/** The same work, begun in the order of the calls and never more than so many at once. */
export function inTurn<Input, Output>(atOnce: number, work: (input: Input) => Promise<Output>) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (input: Input): Promise<Output> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work(input);
    } finally {
      // The place is handed on rather than freed, so that nobody who comes later overtakes the queue.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
