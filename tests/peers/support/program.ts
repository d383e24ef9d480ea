import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly timeoutMs: number;
}

const running = new Set<ChildProcess>();
let stopping = false;

export type Program = ChildProcess & { stdout: Readable; stderr: Readable };

/** A program leads a process group of its own, so that whatever it started can be ended with it. */
export function start(
  command: string,
  args: readonly string[],
  { env, cwd, channel = false }: Pick<ProgramOptions, 'env' | 'cwd'> & { channel?: boolean },
): Program {
  refuseWhenStopped();
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(channel ? (['ipc'] as const) : [])];
  const child = spawn(command, args, { env, cwd, detached: true, stdio }) as Program;
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Runs a program to its end, or to the end of its time. Rejects only where it cannot be started. */
export async function run(command: string, args: readonly string[], options: ProgramOptions): Promise<Ended> {
  const child = start(command, args, options);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
  }
  const timer = setTimeout(() => {
    texts.stderr += `\nended after ${options.timeoutMs / 1000} s without a result`;
    signalGroup(child, 'SIGKILL');
  }, options.timeoutMs);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { code, ...texts };
  } finally {
    clearTimeout(timer);
  }
}

/** Throws once the run is being stopped: what is left to do must not be told as a row of failures. */
export function refuseWhenStopped(): void {
  if (stopping) throw new Error('The run was stopped.');
}

/** Ends everything that still runs and lets nothing new begin. */
export function stopAll(): void {
  stopping = true;
  for (const child of running) signalGroup(child, 'SIGTERM');
}

/** The caller's environment without any cloud or settings of theirs: a run must not depend on who runs it. */
export function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(OS_|OPENSTACK|JEROBOAM_|PYTHON|TEMPEST_|npm_|NODE_OPTIONS)/.test(name),
  );
  return { ...Object.fromEntries(kept), HOME: home, XDG_CACHE_HOME: `${home}/.cache`, PYTHONUTF8: '1' };
}
