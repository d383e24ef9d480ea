import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

import { builtToolchain } from '@jeroboam/sandbox';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { networkOf } from './support/processes.ts';

/** As root, somebody who may do nothing; else ourselves, who are that already. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const noNamespaces = 3;

let directory: string;
let program: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-unprivileged-'));
  chmodSync(directory, 0o711);
  program = path.join(directory, 'box');
  copyFileSync(builtToolchain()?.program('box') ?? '', program);
  chmodSync(program, 0o755);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the box, and in it a shell; answers how it went. */
async function shellInBox(data: string, script: string) {
  const box = spawn(program, ['run', data], { ...user, stdio: ['pipe', 'pipe', 'pipe'] });
  const complaint = text(box.stderr);
  const exit = once(box, 'exit') as Promise<[number | null]>;
  for await (const line of createInterface(box.stdout)) {
    const event = JSON.parse(line) as { ready?: boolean; exited?: string };
    const start = { name: 'shell', path: '/bin/sh', arguments: ['-c', script], log: path.join(data, 'log') };
    if (event.ready === true) box.stdin.write(`${JSON.stringify({ start })}\n`);
    if (event.exited !== undefined) box.stdin.end();
  }
  return { code: (await exit)[0], complaint: await complaint };
}

test('an ordinary user has the box too, with a network of its own, or is told what that needs', async () => {
  const data = path.join(directory, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  const { code, complaint } = await shellInBox(data, 'readlink /proc/self/ns/net');
  // Whether user namespaces are allowed is for each machine to say; both answers must be good ones.
  expect([0, noNamespaces]).toContain(code);
  const said = code === 0 ? readFileSync(path.join(data, 'log'), 'utf8').trim() : complaint;
  expect(said).toMatch(code === 0 ? /^net:\[\d+\]$/ : /run as root, or allow user namespaces/);
  expect(said).not.toBe(networkOf('self'));
});
