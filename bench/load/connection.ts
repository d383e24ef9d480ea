import { connect, type Socket } from 'node:net';

/** One answer: its status, the length of its body, and how the body begins. */
export interface Answer {
  status: number;
  length: number;
  start: string;
}

type Waiting = (outcome: Answer | Error) => void;

const endOfHead = Buffer.from('\r\n\r\n');
const patienceMs = 60_000;

/**
 * A kept-alive HTTP/1.1 connection that counts bodies instead of keeping them: a full client would cost more than
 * the service it measures. It takes one request at a time and understands answers that tell their length.
 */
export class Connection {
  readonly #socket: Socket;
  #waiting: Waiting | null = null;
  #head: Buffer = Buffer.alloc(0);
  #answer: Answer | null = null;
  #missing = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('no answer within a minute')));
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#settle(error));
    socket.on('close', () => this.#settle(new Error('the service closed the connection')));
  }

  static open(host: string, port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
    });
  }

  send(request: Buffer, waiting: Waiting): void {
    if (this.#socket.destroyed) {
      waiting(new Error('the connection is closed'));
      return;
    }
    this.#waiting = waiting;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#answer !== null) {
      this.#count(chunk.length);
      return;
    }
    const whole = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = whole.indexOf(endOfHead);
    if (end < 0) {
      this.#head = whole;
      return;
    }
    this.#head = Buffer.alloc(0);
    const head = whole.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#socket.destroy(new Error(`an answer does not tell its length: ${head.slice(0, 200)}`));
      return;
    }
    const bodyAt = end + endOfHead.length;
    const start = whole.toString('latin1', bodyAt, bodyAt + 300);
    this.#answer = { status: Number(head.slice(9, 12)), length: Number(length), start };
    this.#missing = this.#answer.length;
    this.#count(whole.length - bodyAt);
  }

  #count(bytes: number): void {
    this.#missing -= bytes;
    if (this.#missing > 0 || this.#answer === null) return;
    const answer = this.#answer;
    this.#answer = null;
    this.#settle(this.#missing < 0 ? new Error('an answer is longer than it says') : answer);
  }

  #settle(outcome: Answer | Error): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(outcome);
  }
}
