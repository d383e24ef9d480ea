import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { builtToolchain, ensureToolchain, managementClusterObstacle } from '@jeroboam/sandbox';
import { afterEach, describe, expect, test } from 'vitest';

import { tools } from '../../src/management-cluster/tools.ts';
import { makeFakeGo, type FakeGo } from './support/fake-go.ts';

const run = promisify(execFile);
let fake: FakeGo;
afterEach(() => fake.remove());

const ensure = (progress?: (line: string) => void, signal?: AbortSignal) =>
  ensureToolchain({
    go: fake.go,
    cacheDirectory: fake.cache,
    ...(progress === undefined ? {} : { progress }),
    ...(signal === undefined ? {} : { signal }),
  });

const packages = tools.map((tool) => tool.package);

/** All files of a directory and below. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

describe('the programs of a management cluster', () => {
  test('are built once, told one by one, and found by whoever comes later', async () => {
    fake = makeFakeGo();
    expect(builtToolchain(fake.cache)).toBeNull();
    const told: string[] = [];
    const toolchain = await ensure((line) => told.push(line));
    expect(told[2]).toBe('the management cluster is being built: kube-apiserver (3 of 8)');
    expect(told).toHaveLength(tools.length);
    expect(readFileSync(toolchain.program('etcd'), 'utf8')).toContain('go.etcd.io/etcd');
    expect(path.basename(toolchain.program('etcd'))).toBe('etcd');

    await ensure();
    expect(fake.built()).toEqual(packages);
    expect(builtToolchain(fake.cache)?.program('box')).toBe(toolchain.program('box'));
  });

  test('are built once where several processes want them at once', async () => {
    fake = makeFakeGo({ mishap: 'sleep 0.05' });
    const program = path.join(import.meta.dirname, 'support/building-process.ts');
    const args = ['--conditions=jeroboam-source', program, fake.go, fake.cache];
    const runs = await Promise.all([1, 2, 3].map(() => run(process.execPath, args)));
    expect(runs.map(({ stdout }) => stdout.trim().split('\n').at(-1))).toEqual(['built', 'built', 'built']);
    expect(fake.built()).toEqual(packages);
    const waited = runs.filter(({ stdout }) => stdout.includes('being built by another process'));
    expect(waited).toHaveLength(2);
  });

  test('that were built before a failure are not built again, and nothing half is left', async () => {
    fake = makeFakeGo({
      mishap:
        'case $pkg in *controller-manager) if mkdir $state/once 2>/dev/null; then echo half > "$target"; echo "no space" >&2; exit 1; fi;; esac',
    });
    await expect(ensure()).rejects.toThrow('go build failed: no space');
    expect(builtToolchain(fake.cache)).toBeNull();
    expect(filesIn(fake.cache).toSorted()).toEqual(['box', 'etcd', 'kube-apiserver']);
    await ensure();
    expect(fake.built()).toEqual(packages);
  });

  test('are tried again when the module proxy is asked too much', async () => {
    fake = makeFakeGo({
      mishap:
        'if mkdir $state/once 2>/dev/null; then echo "reading https://proxy: 429 Too Many Requests" >&2; exit 1; fi',
    });
    await ensure();
    expect(fake.built()).toEqual(packages);
  });

  test('are given up at once when the service is to end', async () => {
    fake = makeFakeGo({ mishap: 'exec sleep 600' });
    const ending = new AbortController();
    const building = ensure(() => ending.abort(), ending.signal);
    await expect(building).rejects.toThrow(/abort/i);
  });
});

describe('what is missing is said in one sentence', () => {
  const refused = async (how: Promise<unknown>) =>
    how.then(
      () => '',
      (error: Error) => error.message,
    );

  test('where there is no Go', async () => {
    fake = makeFakeGo();
    const wanted = 'is built with Go, which is not on the PATH: install Go, or give --kubeconfig';
    expect(await refused(ensureToolchain({ go: '/no/such/go', cacheDirectory: fake.cache }))).toContain(
      wanted,
    );
    const obstacle = await managementClusterObstacle({ go: '/no/such/go', cacheDirectory: fake.cache });
    expect(obstacle).toContain(wanted);
  });

  test('where Go is too old', async () => {
    fake = makeFakeGo({ version: 'go1.19.8' });
    expect(await refused(ensure())).toMatch(/built with Go 1\.\d+ or newer, and this is go1\.19\.8/);
    expect(fake.built()).toEqual([]);
  });

  test('where there is no place to keep what is built', async () => {
    fake = makeFakeGo();
    const nowhere = ensureToolchain({ go: fake.go, cacheDirectory: path.join(fake.go, 'cache') });
    expect(await refused(nowhere)).toContain('set XDG_CACHE_HOME to a directory that can be written');
  });

  test('where the machine gives no namespaces', async () => {
    fake = makeFakeGo();
    const options = { go: fake.go, cacheDirectory: fake.cache, unshare: 'false' };
    expect(await managementClusterObstacle(options)).toContain('run as root, allow user namespaces');
  });

  test('and Go is not asked for where everything is built', async () => {
    fake = makeFakeGo();
    await ensure();
    const options = { go: '/no/such/go', cacheDirectory: fake.cache, unshare: 'true' };
    expect(await managementClusterObstacle(options)).toBeNull();
  });
});
