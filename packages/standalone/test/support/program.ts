import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { finished } from 'node:stream/promises';

export const repository = path.resolve(import.meta.dirname, '../../../..');
const main = path.join(repository, 'packages/standalone/src/main.ts');

/** A started program: what it says, and how it ends. */
export interface Program {
  process: ChildProcess;
  /** The URL of its `ready:` line. Rejects where the program ends without one. */
  ready: Promise<string>;
  ended: Promise<number | NodeJS.Signals>;
  stdout: () => string;
  stderr: () => string;
}

export interface ProgramOptions {
  uid?: number;
  gid?: number;
  ipc?: boolean;
  environment?: Record<string, string>;
}

/** The service from its sources, as `npm start` runs it from what was built. */
export function startMain(args: string[], options: ProgramOptions = {}): Program {
  return startProgram(['--conditions=jeroboam-source', main, ...args], options);
}

export function startProgram(
  args: string[],
  { ipc = false, environment = {}, ...user }: ProgramOptions = {},
): Program {
  const child = spawn(process.execPath, args, {
    ...user,
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    // A clean environment: no variable of the test run may reach the program.
    env: { PATH: process.env.PATH, HOME: '/nonexistent', NODE_NO_WARNINGS: '1', ...environment },
  });
  let stdout = '';
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = endOf(child);
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const url = /^ready: (.+)$/m.exec(stdout)?.[1];
      if (url !== undefined) resolve(url);
    });
    void ended.then((how) => reject(new Error(`ended (${how}) before it was ready: ${stderr}`)));
  });
  // Not every test waits for it.
  ready.catch(() => {});
  return { process: child, ready, ended, stdout: () => stdout, stderr: () => stderr };
}

/** Not the event `close`: that never comes where the parent has hung up the channel. */
async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const said = [child.stdout, child.stderr].flatMap((stream) => (stream === null ? [] : [finished(stream)]));
  const [code, signal] = (await once(child, 'exit')) as [number, NodeJS.Signals | null];
  await Promise.all(said);
  return signal ?? code;
}
