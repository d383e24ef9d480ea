import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { PostgresError } from './errors.ts';

/** Who runs PostgreSQL, where that is not ourselves. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root, rightly. As root it gets an unprivileged account that every system has;
 * `postgres` where there is one, because nothing else of the system runs under that name. Data that are there
 * already keep the account they belong to, so that root and an ordinary user can take turns on one directory.
 */
export function accountForPostgres(owner: { uid: number; gid: number } | undefined): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (owner !== undefined && owner.uid !== 0) return { name: `uid ${owner.uid}`, ...owner };
  const accounts = readAccounts();
  const account = accounts.get('postgres') ?? accounts.get('nobody');
  if (account === undefined || account.uid === 0) {
    throw new PostgresError(
      'PostgreSQL must not run as root and the system has neither a user `postgres` nor a user `nobody` ' +
        'to run it as: create one, start as an ordinary user, or give a database URL',
    );
  }
  return account;
}

function readAccounts(): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid) accounts.set(name, { name, uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}

/** The part of the spawn options that makes a child run as the account. */
export function asAccount(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

/**
 * Whether the account can pass through a directory. The kernel is asked, by a process of that account, because
 * mode bits are not all there is: access lists, user namespaces and mount options have a say too.
 */
export function canPassThrough(account: Account, directory: string): boolean {
  const asked = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', `${directory}/.`], {
    ...asAccount(account),
    stdio: 'ignore',
    timeout: 10_000,
  });
  return asked.status === 0;
}
