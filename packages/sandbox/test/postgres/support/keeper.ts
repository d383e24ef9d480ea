import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** What `keeper-process.ts` tells. */
export interface Up {
  pid: number;
  adopted: boolean;
  directory: string;
  connectionString: string;
}

export interface Keeper {
  process: ChildProcess;
  up: Promise<Up>;
  /** The ids of the rows whose commit was acknowledged so far. */
  acknowledged: number[];
  log: string[];
  /** Resolves when so many rows are acknowledged. */
  hasWritten(rows: number): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

type Told = ({ event: 'up' } & Up) | { event: 'acknowledged'; id: number } | { event: 'log'; line: string };

export function startKeeper(directory: string, user: { uid?: number; gid?: number } = {}): Keeper {
  const program = path.join(import.meta.dirname, 'keeper-process.ts');
  const child = spawn(process.execPath, ['--conditions=jeroboam-source', program, directory], {
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' },
  });
  const acknowledged: number[] = [];
  const log: string[] = [];
  const waiting: { rows: number; resolve: () => void }[] = [];
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));

  const up = new Promise<Up>((resolve, reject) => {
    child.on('exit', () => reject(new Error(`the keeper ended before PostgreSQL was up: ${complaints}`)));
    createInterface(child.stdout).on('line', (line) => {
      const told = JSON.parse(line) as Told;
      if (told.event === 'up') resolve(told);
      if (told.event === 'log') log.push(told.line);
      if (told.event === 'acknowledged') {
        acknowledged.push(told.id);
        for (const one of waiting) if (acknowledged.length >= one.rows) one.resolve();
      }
    });
  });
  // A keeper may be killed before anyone asks whether it was up.
  up.catch(() => {});

  const endBy = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  return {
    process: child,
    up,
    acknowledged,
    log,
    hasWritten: (rows) => new Promise((resolve) => waiting.push({ rows, resolve })),
    kill: () => endBy('SIGKILL'),
    stop: () => endBy('SIGTERM'),
  };
}
