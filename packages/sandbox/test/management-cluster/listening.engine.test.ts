import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { managementClusterOfThisRun } from '../support/management-cluster.ts';
import { listenersSeenBy, networkOf, processesOf, socketsOf } from './support/processes.ts';

const { directory } = managementClusterOfThisRun();
/** The box in its own namespaces, and the programs in it; the outer process that made the namespaces has no socket. */
const all = () => processesOf(directory);
const inside = () => all().filter(({ network }) => network !== networkOf('self'));
const loopback = new Set(['127.0.0.1', '::1']);

describe('of a management cluster in a box', () => {
  test('all programs run, in one network of their own', () => {
    expect(
      inside()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([
      'box',
      'capi-core',
      'capi-dev',
      'capi-kubeadm-bootstrap',
      'capi-kubeadm-control-plane',
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
    ]);
    expect(new Set(inside().map(({ network }) => network)).size).toBe(1);
  });

  test('no process listens where others can reach it', () => {
    const here = new Map(listenersSeenBy('self').map((listener) => [listener.inode, listener]));
    const reachable = all().flatMap(({ pid, name }) =>
      [...socketsOf(pid)].flatMap((inode) => (here.has(inode) ? [{ name, ...here.get(inode) }] : [])),
    );
    expect(reachable).toEqual([]);
  });

  test('some do listen on every interface they find, which is why they have none but loopback', () => {
    const [one] = inside();
    const everywhere = listenersSeenBy(one?.pid ?? 0).filter(({ address }) => !loopback.has(address));
    expect(everywhere.length).toBeGreaterThan(0);
  });

  test('whoever started it forwards from loopback only', async () => {
    const cluster = managementClusterOfThisRun();
    await cluster.openEndpoint(2379);
    // The directory's name begins with what it is for and the process that made it.
    const starter = Number(/-(\d+)-[^-]+$/.exec(path.basename(directory))?.[1]);
    const sockets = socketsOf(starter);
    const forwards = listenersSeenBy('self').filter(({ inode }) => sockets.has(inode));
    expect(forwards.length).toBeGreaterThanOrEqual(2);
    expect(forwards.filter(({ address }) => !loopback.has(address))).toEqual([]);
  });
});
