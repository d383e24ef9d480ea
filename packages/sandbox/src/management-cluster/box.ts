import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import readline from 'node:readline';
import { ManagementClusterError } from './errors.ts';

/** A program to be run in the box. */
export interface Program {
  name: string;
  path: string;
  arguments: readonly string[];
  environment: Readonly<Record<string, string>>;
  log: string;
}

/** A network namespace in which programs run that nobody else shall reach. It ends with this process. */
export interface Box {
  start(program: Program): void;
  stop(name: string): void;
  /** A connection to a port within. */
  connect(port: number): net.Socket;
  /** Ends everything in it; resolves when nothing is left. */
  close(): Promise<void>;
}

export interface BoxOptions {
  program: string;
  socket: string;
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

/** What the box exits with on a machine that gives it no namespace. */
const noNamespaces = 3;
const startLimitMs = 10_000;
const endLimitMs = 20_000;

export async function openBox(options: BoxOptions): Promise<Box> {
  // Its own process group: an interrupt at the terminal is for us, and we end the box in order.
  const child = spawn(options.program, ['run', options.socket], {
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
  const hear = (line: string, ready: () => void): void => {
    const event = JSON.parse(line) as BoxEvent;
    if (event.ready === true) ready();
    else if (event.exited !== undefined && !closing) options.exited(event.exited, event.message ?? '');
    else if (event.failed !== undefined) options.exited(event.failed, event.message ?? '');
  };
  const ready = new Promise<'ready'>((resolve) => {
    readline
      .createInterface({ input: child.stdout })
      .on('line', (line) => hear(line, () => resolve('ready')));
  });
  const limit = AbortSignal.timeout(startLimitMs);
  const late = once(limit, 'abort').then(() => 'it did not start in time');
  const how = await Promise.race([ready, ended, late]);
  if (how !== 'ready') {
    child.kill('SIGKILL');
    throw new ManagementClusterError(sentence(child, how));
  }
  ended.then((end) => (closing ? undefined : options.broken(end))).catch(() => undefined);

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
    connect(port) {
      const socket = net.connect(options.socket);
      socket.write(`${port}\n`);
      return socket;
    },
    async close() {
      closing = true;
      child.stdin.end();
      const limit = setTimeout(() => child.kill('SIGKILL'), endLimitMs);
      await ended;
      clearTimeout(limit);
    },
  };
}

function sentence(child: ChildProcess, how: string): string {
  if (child.exitCode === noNamespaces)
    return `The management cluster needs a network namespace of its own: ${how}. Or give --kubeconfig for another one.`;
  return `The box of the management cluster ended at once: ${how}`;
}
