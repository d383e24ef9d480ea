import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface FakeGo {
  /** The program to be called instead of go. */
  go: string;
  cache: string;
  /** What was built so far, in order. */
  built(): string[];
  remove(): void;
}

/**
 * A `go` that builds in no time: a program is a file with its package's name. `mishap` is shell that is run before each
 * build, with the package in `$pkg` and a directory of its own in `$state`.
 */
export function makeFakeGo(options: { version?: string; mishap?: string } = {}): FakeGo {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-fake-go-'));
  const go = path.join(directory, 'go');
  const log = path.join(directory, 'built');
  mkdirSync(path.join(directory, 'state'));
  for (const config of ['core', 'bootstrap/kubeadm', 'controlplane/kubeadm', 'infrastructure/docker'])
    for (const part of ['crd', 'webhook'])
      mkdirSync(path.join(directory, 'module', config, 'config', part), { recursive: true });
  const lines = [
    '#!/bin/sh',
    `state=${directory}/state`,
    'case "$1" in',
    `env) echo ${options.version ?? 'go1.99.0'} ;;`,
    `list) echo ${directory}/module ;;`,
    'build)',
    'while [ $# -gt 1 ]; do if [ "$1" = -o ]; then target=$2; fi; shift; done; pkg=$1',
    options.mishap ?? '',
    'echo "$pkg" > "$target"',
    `echo "$pkg" >> ${log} ;;`,
    'esac',
  ];
  writeFileSync(go, `${lines.join('\n')}\n`);
  chmodSync(go, 0o755);
  return {
    go,
    cache: path.join(directory, 'cache'),
    built: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
