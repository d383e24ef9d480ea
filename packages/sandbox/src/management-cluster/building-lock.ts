import { once } from 'node:events';
import net from 'node:net';
import { createHash } from 'node:crypto';
import { ManagementClusterError } from './errors.ts';

/** As long as a build may take at the very worst. */
const patienceMs = 60 * 60_000;

/**
 * One build at a time in a directory: others wait, and then find what they need. The lock is a socket without a file, which
 * the kernel takes away with the process that holds it, however that ends.
 */
export async function whileBuilding<T>(
  directory: string,
  work: () => Promise<T>,
  options: { waiting?: () => void; signal?: AbortSignal } = {},
): Promise<T> {
  const name = `\0jeroboam-build-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`;
  const deadline = Date.now() + patienceMs;
  let lock = await take(name);
  if (lock === null) options.waiting?.();
  while (lock === null) {
    options.signal?.throwIfAborted();
    if (Date.now() > deadline)
      throw new ManagementClusterError(
        `another process has been building in ${directory} for an hour: end it`,
      );
    await untilReleased(name);
    lock = await take(name);
  }
  try {
    return await work();
  } finally {
    lock.close();
  }
}

function take(name: string): Promise<net.Server | null> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((waiting) =>
      waiting
        .on('error', () => undefined)
        .resume()
        .unref(),
    );
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(name, () => resolve(server.unref()));
  });
}

/** Looks again now and then all the same: a holder that gives the lock back does not end its connections. */
async function untilReleased(name: string): Promise<void> {
  const socket = net.connect(name);
  socket.setTimeout(500, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'close').catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
