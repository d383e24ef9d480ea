// Runs the real program and stays out of its way: same terminal, same signals, same exit code.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { watchAncestors } from './ancestors.mjs';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * One Ctrl-C reaches us twice: from the terminal and again from npm, which passes on what it gets. The program
 * takes a second signal as "at once!", so an echo within this time is swallowed.
 */
const echoMs = 500;

/**
 * How Node runs the service stands in its package. Left to itself, V8 lets the heap of a service that serves long lists
 * grow to twice what it needs; growing in smaller steps, it stays under 200 MB for a fifth more CPU on those lists.
 */
function nodeFlags(program) {
  const manifest = path.join(path.dirname(program), '..', 'package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).nodeFlags ?? [];
}

/**
 * A service gets a process group of its own (the terminal's Ctrl-C then reaches it through us, once) and an IPC
 * channel, whose end tells it that we are gone even when we had no time to say so.
 */
export function run({ node, program, args, service }) {
  const flags = service ? nodeFlags(program) : [];
  // npm works in the repository; a relative path on the command line means the place where it was typed.
  const typedIn = process.env.npm_lifecycle_event === 'start' ? process.env.INIT_CWD : undefined;
  const child = spawn(node, [...flags, program, ...args], {
    cwd: service && typedIn !== undefined ? typedIn : process.cwd(),
    stdio: service ? ['ignore', 'inherit', 'inherit', 'ipc'] : 'inherit',
    detached: service,
  });

  const last = new Map();
  for (const signal of forwarded) {
    process.on(signal, () => {
      const now = Date.now();
      const echo = now - (last.get(signal) ?? -Infinity) < echoMs;
      last.set(signal, now);
      // In the terminal's own process group the program has had the Ctrl-C already.
      if (!echo && (service || signal !== 'SIGINT' || !process.stdin.isTTY)) child.kill(signal);
    });
  }
  if (service && process.env.npm_lifecycle_event) watchAncestors(() => child.kill('SIGTERM'));

  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // `process.exit` and not just a code: watching ancestors and signals must not keep us here.
    child.on('exit', (code, signal) => {
      process.exitCode = code ?? 128 + os.constants.signals[signal];
      resolve(process.exitCode);
      process.exit();
    });
  });
}
