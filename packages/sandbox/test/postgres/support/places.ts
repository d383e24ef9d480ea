import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Client } from 'pg';

/** Whom to run as: ourselves, and as root also an ordinary user, where that user can read this repository. */
export function users(): { name: string; user: { uid?: number; gid?: number } }[] {
  if (process.getuid?.() !== 0) return [{ name: 'an ordinary user', user: {} }];
  const root = [{ name: 'root', user: {} }];
  return othersCanReadThisRepository()
    ? [...root, { name: 'an ordinary user', user: { uid: 65534, gid: 65534 } }]
    : root;
}

function othersCanReadThisRepository(): boolean {
  for (let place = import.meta.dirname; ; place = path.dirname(place)) {
    if ((statSync(place).mode & 0o005) !== 0o005) return false;
    if (place === path.dirname(place)) return true;
  }
}

/** A fresh directory where anyone may make theirs. */
export function makePlace(): { directory: string; remove(): void } {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-embedded-'));
  chmodSync(directory, 0o777);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export async function query<Row extends object>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function storedIds(connectionString: string): Promise<number[]> {
  const rows = await query<{ id: string }>(connectionString, 'select id from acknowledged order by id');
  return rows.map((row) => Number(row.id));
}

export function postmasterPid(directory: string): number {
  return Number(readFileSync(path.join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
}
