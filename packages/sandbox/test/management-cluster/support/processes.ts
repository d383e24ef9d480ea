import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface BoxProcess {
  pid: number;
  /** The name of its program. */
  name: string;
  /** Its network namespace. */
  network: string;
}

/** Every process of a management cluster: its directory is in what it was started with, or it works there. */
export function processesOf(directory: string): BoxProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        // Whoever tests it has the directory in its own arguments, and is Node.
        if (program.endsWith('/node')) return [];
        if (!args.join(' ').includes(directory) && readlinkSync(`/proc/${pid}/cwd`) !== directory) return [];
        const name = program === '/proc/self/exe' ? 'box' : (program.split('/').at(-1) ?? '');
        return [{ pid: Number(pid), name, network: networkOf(pid) }];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}

export const networkOf = (pid: number | string): string => readlinkSync(`/proc/${pid}/ns/net`);

export interface Listener {
  address: string;
  port: number;
  inode: string;
}

const listening = '0A';

/** The TCP sockets that listen in the network namespace of a process. */
export function listenersSeenBy(pid: number | 'self'): Listener[] {
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === listening)
      .map((fields) => {
        const [address = '', port = ''] = (fields[1] ?? '').split(':');
        return { address: readable(address), port: Number.parseInt(port, 16), inode: fields[9] ?? '' };
      }),
  );
}

/** The kernel writes addresses as numbers of this machine's byte order. */
function readable(address: string): string {
  const bytes = Buffer.from(address, 'hex');
  for (let word = 0; word < bytes.length; word += 4) bytes.subarray(word, word + 4).reverse();
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.every((byte) => byte === 0)) return '::';
  return bytes.subarray(0, 15).every((byte) => byte === 0) && bytes[15] === 1 ? '::1' : bytes.toString('hex');
}

/** The inodes of the sockets that a process has open. */
export function socketsOf(pid: number): Set<string> {
  return new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
}
