import net from 'node:net';
import type { Gateway } from './gateway.ts';

/** Ports of the box that can be reached on loopback. */
export interface Endpoints {
  /** Opens a port under its own number, or another one where that is taken or not wanted; answers which. */
  open(port: number, wanted?: number): Promise<number>;
  close(): Promise<void>;
}

const anyFree = 0;

export function openEndpoints(gateway: Gateway): Endpoints {
  const opened = new Map<number, Promise<net.Server>>();
  const connections = new Set<net.Socket>();

  function join(outer: net.Socket, port: number): void {
    const inner = gateway.connect(port);
    connections.add(outer);
    outer.on('close', () => connections.delete(outer));
    // Either side may break off at any time; the other is then told by the end of its stream.
    outer.on('error', () => inner.destroy());
    inner.on('error', () => outer.destroy());
    outer.pipe(inner).pipe(outer);
  }

  function listen(port: number, local: number): Promise<net.Server> {
    const server = net.createServer((outer) => join(outer, port));
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(local, '127.0.0.1', () => resolve(server));
    });
  }

  return {
    async open(port, wanted = port) {
      const listening = opened.get(port) ?? listen(port, wanted).catch(() => listen(port, anyFree));
      opened.set(port, listening);
      return ((await listening).address() as net.AddressInfo).port;
    },
    async close() {
      const servers = await Promise.allSettled(opened.values());
      opened.clear();
      const closed = servers.flatMap((one) =>
        one.status === 'fulfilled' ? [new Promise((resolve) => one.value.close(resolve))] : [],
      );
      for (const connection of connections) connection.destroy();
      await Promise.all(closed);
    },
  };
}
