import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/**
 * Which process listens on a port, as far as the system tells us: "process 4711 (nginx)". Linux only, and only for
 * processes that we may look into; it is for a sentence to a person, never for a decision.
 */
export function holderOfPort(port: number): string | undefined {
  try {
    const sockets = listeningSockets(port);
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (descriptorsOf(pid).some((target) => target !== undefined && sockets.has(target))) {
        return `process ${pid} (${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()})`;
      }
    }
  } catch {
    // No such system, or the process ended while we looked.
  }
  return undefined;
}

function listeningSockets(port: number): Set<string> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const listening = '0A';
  const sockets = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n')) {
      const columns = line.trim().split(/\s+/);
      if (columns[1]?.endsWith(wanted) && columns[3] === listening) sockets.add(`socket:[${columns[9]}]`);
    }
  }
  return sockets;
}

function descriptorsOf(pid: string): (string | undefined)[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((descriptor) => targetOf(`/proc/${pid}/fd/${descriptor}`));
  } catch {
    return [];
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
