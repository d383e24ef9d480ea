import { readFileSync, realpathSync } from 'node:fs';

import type { Account } from './account.ts';
import { replaceFile } from './files.ts';
import type { Layout } from './layout.ts';
import { isAlive, workingDirectoryOf } from './processes.ts';

/** What a postmaster has written about itself. */
export interface PidFile {
  pid: number;
  socketDirectory: string | undefined;
}

/** What has become of the postmaster that wrote the file. */
export type Standing = 'ours' | 'perhaps ours' | 'gone' | 'someone else';

export function readPidFile(layout: Layout): PidFile | undefined {
  let text: string;
  try {
    text = readFileSync(layout.pidFile, 'utf8');
  } catch {
    return undefined;
  }
  // PostgreSQL's order: pid, data directory, start time, port, socket directory, address, shared memory, status.
  const lines = text.split('\n');
  return { pid: Number(lines[0]), socketDirectory: lines[4]?.trim() || undefined };
}

/** A pid says little: the machine may have been restarted and the number be somebody else's by now. */
export function standingOf(file: PidFile, layout: Layout): Standing {
  if (!isAlive(file.pid)) return 'gone';
  if (file.pid === process.pid) return 'someone else';
  const works = workingDirectoryOf(file.pid);
  if (works === undefined) return 'perhaps ours';
  return works === realpathSync(layout.data) ? 'ours' : 'someone else';
}

/**
 * PostgreSQL does not start while the pid in its file exists, even as a stranger or a zombie. Removing the file
 * would also remove its note of the shared memory, by which PostgreSQL finds out whether processes of the dead
 * server still write to the data. Only the pid is at fault, so only the pid is replaced: by ours, which a
 * postmaster that we start takes for its parent's and lets pass.
 */
export function disownPidFile(layout: Layout, account: Account | undefined, judged: PidFile): void {
  const [pid, ...rest] = readFileSync(layout.pidFile, 'utf8').split('\n');
  // Another start may have put a living server's file in its place since we looked.
  if (Number(pid) !== judged.pid) return;
  replaceFile(layout.pidFile, [String(process.pid), ...rest].join('\n'), account);
}
