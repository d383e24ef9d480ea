import { spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import { ManagementClusterError } from './errors.ts';

/** A program to be run in the box. */
export interface Program {
  name: string;
  path: string;
  arguments: readonly string[];
  environment: Readonly<Record<string, string>>;
  log: string;
  /** Others use it: it is ended after them, and given the time to do it in order. */
  last: boolean;
}

/** A network namespace in which programs run that nobody else shall reach. It ends with this process. */
export interface Box {
  start(program: Program): void;
  stop(name: string): void;
  kill(name: string): void;
  /** Ends everything in it; resolves when nothing is left. */
  close(): Promise<void>;
}

export interface BoxOptions {
  /** The program that is the box. */
  program: string;
  /** Where its socket and its lock are. */
  directory: string;
  /** A program ended without being told to, or could not be started. */
  exited(name: string, how: string): void;
  /** The box itself ended without being told to. */
  broken(how: string): void;
}

interface BoxEvent {
  ready?: boolean;
  started?: string;
  exited?: string;
  failed?: string;
  message?: string;
}

/** What the box exits with on a machine that gives it no namespace, and where somebody else has its directory. */
const noNamespaces = 3;
const inUse = 4;
/** More than the box waits for a predecessor that is about to end. */
const startLimitMs = 20_000;
const endLimitMs = 20_000;

export async function openBox(options: BoxOptions): Promise<Box> {
  // Its own process group: an interrupt at the terminal is for us, and we end the box in order.
  const child = spawn(options.program, ['run', options.directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let closing = false;
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-2000);
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(complaint.trim() || `exit ${code ?? signal ?? ''}`));
  });
  // A command to a box that is gone is of no use to anybody; its end is told anyway.
  child.stdin.on('error', () => undefined);
  const ready = new Promise<'ready'>((resolve) => {
    readline.createInterface({ input: child.stdout }).on('line', (line) => {
      const { ready: isReady, exited, failed, message = '' } = JSON.parse(line) as BoxEvent;
      const over = exited ?? failed;
      if (isReady === true) resolve('ready');
      else if (over !== undefined && !closing) options.exited(over, message);
    });
  });
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), startLimitMs);
  const late = once(limit.signal, 'abort').then(() => 'it did not start in time');
  const how = await Promise.race([ready, ended, late]);
  clearTimeout(timer);
  if (how !== 'ready') {
    child.kill('SIGKILL');
    throw new ManagementClusterError(sentence(child.exitCode, how, options.directory));
  }
  void ended.then((end) => (closing ? undefined : options.broken(end)));

  const tell = (command: unknown): void => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
  };
  return {
    start: ({ environment, ...program }) =>
      tell({
        start: {
          ...program,
          environment: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
        },
      }),
    stop: (name) => tell({ stop: name }),
    kill: (name) => tell({ kill: name }),
    async close() {
      closing = true;
      child.stdin.end();
      const limit = setTimeout(() => child.kill('SIGKILL'), endLimitMs);
      await ended;
      clearTimeout(limit);
    },
  };
}

function sentence(code: number | null, how: string, directory: string): string {
  if (code === noNamespaces)
    return `the management cluster needs namespaces of its own, and ${how}; or give --kubeconfig for another one`;
  if (code === inUse)
    return `another management cluster runs in ${directory}, ${how}: end that one first, or take another directory`;
  return `the box of the management cluster did not start: ${how}`;
}
