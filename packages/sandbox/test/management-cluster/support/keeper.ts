import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A process that keeps a management cluster in a directory. */
export interface Keeper {
  pid: number;
  /** Resolves with the path of its kubeconfig. Rejects with what it says where it does not come up. */
  up: Promise<string>;
  /** The names of the objects that the API server acknowledged so far. */
  acknowledged: string[];
  log: string[];
  /** Resolves when so many more objects are acknowledged. */
  writes(more: number): Promise<void>;
  killProgram(name: string): void;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

interface Told {
  event: 'up' | 'acknowledged' | 'log' | 'refused';
  kubeconfig?: string;
  name?: string;
  line?: string;
  message?: string;
}

export function startKeeper(directory: string): Keeper {
  const program = path.join(import.meta.dirname, 'keeper-process.ts');
  const child = spawn(process.execPath, ['--conditions=jeroboam-source', program, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  const acknowledged: string[] = [];
  const log: string[] = [];
  const waiting: { total: number; resolve: () => void }[] = [];
  const exited = once(child, 'exit');

  const up = new Promise<string>((resolve, reject) => {
    void exited.then(() => reject(new Error('the keeper ended before its management cluster was up')));
    createInterface(child.stdout).on('line', (line) => {
      const told = JSON.parse(line) as Told;
      if (told.event === 'up') resolve(told.kubeconfig ?? '');
      if (told.event === 'refused') reject(new Error(told.message));
      if (told.event === 'log') log.push(told.line ?? '');
      if (told.event === 'acknowledged') acknowledged.push(told.name ?? '');
      for (const one of waiting) if (acknowledged.length >= one.total) one.resolve();
    });
  });
  // A keeper may be killed before anyone asks whether it was up.
  up.catch(() => {});

  const endBy = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    up,
    acknowledged,
    log,
    writes: (more) => new Promise((resolve) => waiting.push({ total: acknowledged.length + more, resolve })),
    killProgram: (name) => child.stdin.write(`${name}\n`),
    kill: () => endBy('SIGKILL'),
    stop: () => endBy('SIGTERM'),
  };
}
