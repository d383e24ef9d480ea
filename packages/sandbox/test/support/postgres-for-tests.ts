import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { TestProject } from 'vitest/node';

import { startEmbeddedPostgres } from '@jeroboam/sandbox';

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's connection string of the one PostgreSQL server of this run. */
    postgres: string;
  }
}

/** Nothing here outlives the run, so nothing need survive a power cut. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

const prefix = 'jeroboam-test-postgres-';

/** One server for the whole run; every test file makes its own database in it (`createTestDatabase`). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await clearAwayFormerRuns();
  const directory = mkdtempSync(path.join(os.tmpdir(), `${prefix}${process.pid}-`));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({
      directory,
      settings,
    });
    project.provide('postgres', postgres.connectionString('postgres'));
    return async () => {
      await postgres.stop();
      removeDirectory();
    };
  } catch (error) {
    removeDirectory();
    throw error;
  }
}

/**
 * A run that was killed leaves its server behind, told by the pid in the directory's name. Starting it again adopts
 * what still runs, so that it can be stopped in order.
 */
async function clearAwayFormerRuns(): Promise<void> {
  for (const name of readdirSync(os.tmpdir())) {
    if (!name.startsWith(prefix) || runs(Number(name.slice(prefix.length).split('-')[0]))) continue;
    const directory = path.join(os.tmpdir(), name);
    try {
      if (existsSync(path.join(directory, 'data/postmaster.pid'))) {
        const left = await startEmbeddedPostgres({ directory, settings });
        await left.stop();
      }
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // Another user's run, or another run that is clearing it away as well.
    }
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
