import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const endPatienceMs = 40_000;

/** Starts one of our own scripts as a child that talks over IPC. */
export const forkScript = (url: URL): ChildProcess =>
  fork(fileURLToPath(url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });

/** The child's next message; an error when it ends, or says nothing for too long. */
export function nextMessage<T>(child: ChildProcess, what: string, patienceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      settle();
    };
    const onMessage = (message: unknown): void => finish(() => resolve(message as T));
    const onExit = (): void => finish(() => reject(new Error(`${what} ended before it answered`)));
    const timer = setTimeout(
      () => finish(() => reject(new Error(`${what} said nothing within ${patienceMs / 1000} s`))),
      patienceMs,
    );
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}

/** Asks a child to end, and makes it end when it does not. */
export async function end(child: ChildProcess, signal: 'SIGTERM' | 'disconnect'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const timer = setTimeout(() => child.kill('SIGKILL'), endPatienceMs);
  if (signal === 'SIGTERM') child.kill('SIGTERM');
  else if (child.connected) child.disconnect();
  await exited;
  clearTimeout(timer);
}
