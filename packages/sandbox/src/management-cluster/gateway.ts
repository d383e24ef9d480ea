import { closeSync, openSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';

/** The way into the box: its socket, which is the same whichever box is behind it. */
export interface Gateway {
  /** A connection to a port within; where there is no box just now, one that fails. */
  connect(port: number): net.Socket;
  close(): void;
}

/** A socket's whole path must fit into 108 bytes with its closing zero. */
const longestPath = 107;
const socketName = 'box.sock';

export function openGateway(directory: string): Gateway {
  const usual = path.join(directory, socketName);
  // Through an open descriptor every path is short.
  const descriptor = Buffer.byteLength(usual) > longestPath ? openSync(directory, 'r') : null;
  const socketPath = descriptor === null ? usual : `/proc/self/fd/${descriptor}/${socketName}`;
  return {
    connect(port) {
      const socket = net.connect(socketPath);
      socket.write(`${port}\n`);
      return socket;
    },
    close() {
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}
