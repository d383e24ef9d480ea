import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { configMaps, KubeClient, readKubeconfig } from '@jeroboam/kubernetes';
import { startManagementCluster } from '@jeroboam/sandbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startKeeper, type Keeper } from './support/keeper.ts';
import { networkOf, processesOf } from './support/processes.ts';

let directory: string;
let last: Keeper | undefined;

beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-killed-'));
  chmodSync(directory, 0o700);
});

afterEach(async () => {
  await last?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const start = () => (last = startKeeper(directory));

/** What a keeper was told to be written and is not there. */
async function missing(keeper: Keeper, kubeconfig: string): Promise<string[]> {
  const written = [...keeper.acknowledged];
  const client = new KubeClient(readKubeconfig(kubeconfig));
  const { items } = await client.list(configMaps, { namespace: 'default' }, ({ metadata }) => metadata.name);
  client.close();
  const stored = new Set(items);
  return written.filter((name) => !stored.has(name));
}

describe('after kill -9', () => {
  test('of the process that started it nothing is left, and the next start finds every acknowledged object', async () => {
    const first = start();
    await first.up;
    await first.writes(40);
    await first.kill();
    await expect.poll(() => processesOf(directory), { timeout: 15_000 }).toEqual([]);

    const second = start();
    expect(await missing(first, await second.up)).toEqual([]);
  });

  test('the next start may come at once: it waits for what is still ending', async () => {
    const first = start();
    await first.up;
    await first.writes(5);
    await first.kill();
    const second = start();
    expect(await missing(first, await second.up)).toEqual([]);
  });

  test('of the box everything in it is started again, and those who use it go on', async () => {
    const keeper = start();
    const kubeconfig = await keeper.up;
    await keeper.writes(5);
    const outer = processesOf(directory).find(({ network }) => network === networkOf('self'));
    process.kill(outer?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => keeper.log.at(-1), { timeout: 60_000 }).toBe('the management cluster is back');
    await keeper.writes(5);
    expect(await missing(keeper, kubeconfig)).toEqual([]);
  });

  test('of a program in it that one is started again, and nothing acknowledged is lost', async () => {
    const keeper = start();
    const kubeconfig = await keeper.up;
    for (const name of ['etcd', 'kube-apiserver', 'capi-core']) {
      await keeper.writes(5);
      const running = () => processesOf(directory).find((one) => one.name === name)?.pid ?? 0;
      const before = running();
      keeper.killProgram(name);
      await expect
        .poll(() => running() !== 0 && running() !== before, { timeout: 30_000, message: `${name} is back` })
        .toBe(true);
    }
    await keeper.writes(5);
    expect(await missing(keeper, kubeconfig)).toEqual([]);
  });
});

test('told to end, everything ends in order, and the next start finds it', async () => {
  const first = start();
  await first.up;
  await first.writes(10);
  await first.stop();
  expect(processesOf(directory)).toEqual([]);
  expect(await missing(first, await start().up)).toEqual([]);
});

test('a second start in the same directory is refused with the process that has it, and harms nobody', async () => {
  const keeper = start();
  await keeper.up;
  const second = startManagementCluster({ directory });
  await expect(second).rejects.toThrow(
    `another management cluster runs in ${directory}, it is in use by process ${keeper.pid}`,
  );
  await keeper.writes(5);
});

test('a start that is given up half-way leaves nothing behind', async () => {
  const ending = new AbortController();
  const starting = startManagementCluster({ directory, signal: ending.signal });
  await expect.poll(() => processesOf(directory).map(({ name }) => name)).toContain('etcd');
  ending.abort();
  await expect(starting).rejects.toThrow(/abort/i);
  expect(processesOf(directory)).toEqual([]);
});
