import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ProcessSettings } from './server-process.ts';

export interface Reply {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely; the assertions are the check
  body: any;
}

/** A server in a process of its own that can be killed and started again, and a client that outlives that. */
export class KilledServer {
  readonly #settings: ProcessSettings;
  readonly #token: string;
  readonly #cache = mkdtempSync(path.join(tmpdir(), 'jeroboam-killed-'));
  #child: ChildProcess | undefined;
  readonly #told: string[] = [];
  #url = '';

  constructor(settings: ProcessSettings, token: string) {
    this.#settings = settings;
    this.#token = token;
  }

  async start(): Promise<void> {
    const program = path.join(import.meta.dirname, 'server-process.ts');
    const child = spawn(
      process.execPath,
      ['--conditions=jeroboam-source', program, JSON.stringify(this.#settings)],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        // It starts often: what was compiled once is kept.
        env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: this.#cache },
      },
    );
    this.#child = child;
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    const lines = createInterface(child.stdout);
    lines.on('line', (line) => this.#told.push(line));
    const up = once(lines, 'line');
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`it ended: ${complaints}`)));
    ended.catch(() => undefined);
    const [line] = (await Promise.race([up, ended])) as [string];
    this.#url = (JSON.parse(line) as { url: string }).url;
  }

  /** Resolves once it has told a line that holds this. */
  async hasTold(text: string): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (!this.#told.some((line) => line.includes(text))) {
      if (Date.now() > deadline) throw new Error(`it never told ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** kill -9: no handler of the process gets to run. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#cache, { recursive: true, force: true });
  }

  /** Sends until somebody answers; a request whose answer was lost may have been carried out. */
  async send(method: string, route: string, body?: unknown): Promise<Reply> {
    const deadline = Date.now() + 120_000;
    for (;;) {
      try {
        return await this.sendOnce(method, route, body);
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  /** Sends once, for what must not be carried out twice; throws when the answer is lost. */
  async sendOnce(method: string, route: string, body?: unknown): Promise<Reply> {
    const answer = await fetch(this.#url + route, {
      method,
      headers: {
        'x-auth-token': this.#token,
        'openstack-api-version': 'container-infra latest',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }
}
