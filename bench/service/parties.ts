import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@jeroboam/sandbox';
import { forkScript, end } from './child.ts';
import { startCloudProcess, type CloudProcess } from './sandbox.ts';
import type { ChildProcess } from 'node:child_process';

/** All that lives through the whole benchmark; the API is started anew for each size. */
export interface Parties {
  directory: string;
  postgres: EmbeddedPostgres;
  cloud: CloudProcess;
  generator: ChildProcess;
  /** Ends all of it. */
  end(): Promise<void>;
  /** Removes what it wrote; only once nobody writes any more. */
  clear(): void;
}

export async function startParties(wanted: string | null): Promise<Parties> {
  const parent = wanted ?? os.tmpdir();
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(path.join(parent, 'jeroboam-bench-'));
  // As root, PostgreSQL runs as another user, who must be able to pass through.
  if (process.getuid?.() === 0) chmodSync(directory, 0o711);
  const clear = (): void => rmSync(directory, { recursive: true, force: true });
  const endings: (() => Promise<void>)[] = [];
  const endAll = async (): Promise<void> => {
    for (const ending of endings.splice(0).toReversed()) await ending();
  };
  try {
    const postgres = await startEmbeddedPostgres({
      directory: path.join(directory, 'postgres'),
      shelter: path.join(directory, 'shelter'),
    });
    endings.push(() => postgres.stop());
    const cloud = await startCloudProcess();
    endings.push(() => cloud.end());
    const generator = forkScript(new URL('../load/generator-process.ts', import.meta.url));
    endings.push(() => end(generator, 'disconnect'));
    return { directory, postgres, cloud, generator, end: endAll, clear };
  } catch (error) {
    await endAll();
    clear();
    throw error;
  }
}
