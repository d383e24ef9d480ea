import net from 'node:net';
import type { Box } from './box.ts';

/** Ports of the box that can be reached on loopback under the same number. */
export interface Endpoints {
  /** Opens a port, or any free one where `local` is 0; answers which. */
  open(port: number, local?: number): Promise<number>;
  close(): Promise<void>;
}

export function openEndpoints(box: Box): Endpoints {
  const servers = new Map<number, { server: net.Server; local: number }>();
  return {
    async open(port, local = port) {
      const known = servers.get(port);
      if (known !== undefined) return known.local;
      const server = net.createServer((outer) => {
        const inner = box.connect(port);
        // Either side may break off at any time; the other is then told by the end of its stream.
        outer.on('error', () => inner.destroy());
        inner.on('error', () => outer.destroy());
        outer.pipe(inner).pipe(outer);
      });
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(local, '127.0.0.1', resolve);
      });
      const bound = (server.address() as net.AddressInfo).port;
      servers.set(port, { server, local: bound });
      return bound;
    },
    async close() {
      await Promise.all(
        [...servers.values()].map(
          ({ server }) => new Promise<void>((resolve) => server.close(() => resolve())),
        ),
      );
    },
  };
}
