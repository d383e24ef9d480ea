import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf, messageOf, StartError } from '../start-error.ts';
import { holderOfPort } from './port-holder.ts';

/** A service that was told to end just before may need this long to let go of its port. */
const patienceMs = 3_000;

/** Makes sure that a port which somebody asked for can be had, and says who has it where it cannot. */
export async function requirePort(what: string, flag: string, host: string, port: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const obstacle = await tryToListen(host, port);
    if (obstacle === undefined) return;
    if (codeOf(obstacle) !== 'EADDRINUSE' || Date.now() > deadline) {
      throw new StartError(sentenceFor(obstacle, what, flag, host, port));
    }
    await sleep(100);
  }
}

/** A port that nobody asked for in particular: the usual one, or 0 (any free one) where that is taken. */
export async function preferPort(host: string, port: number): Promise<number> {
  if (port === 0 || port > 65_535) return 0;
  return (await tryToListen(host, port)) === undefined ? port : 0;
}

async function tryToListen(host: string, port: number): Promise<unknown> {
  const probe = createServer();
  try {
    probe.listen({ host, port });
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
    return undefined;
  } catch (error) {
    return error;
  }
}

function sentenceFor(obstacle: unknown, what: string, flag: string, host: string, port: number): string {
  switch (codeOf(obstacle)) {
    case 'EADDRINUSE': {
      const holder = holderOfPort(port) ?? 'another process';
      return `port ${port} for ${what} is in use by ${holder}: end it or choose another port with ${flag}`;
    }
    case 'EACCES':
      return `port ${port} for ${what} is reserved for root: choose one above 1023 with ${flag}`;
    default:
      return `${what} cannot listen on ${host}, port ${port}: ${messageOf(obstacle)}`;
  }
}
