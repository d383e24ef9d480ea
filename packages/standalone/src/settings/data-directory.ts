import { accessSync, constants, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Where each kind of user's programs keep their data: the system's place for root, the user's own for others. A
 * service account often has no home to keep anything in; then it is a directory where it was started.
 */
export function defaultDataDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  if (process.getuid?.() === 0) return '/var/lib/jeroboam';
  const shared = environment.XDG_DATA_HOME;
  // The convention says that a relative path there is to be ignored.
  const home =
    shared !== undefined && path.isAbsolute(shared) ? shared : path.join(os.homedir(), '.local/share');
  return canBeMade(home) ? path.join(home, 'jeroboam') : path.resolve('.jeroboam');
}

/** Whether we may write to the nearest directory on the way that is there already. */
function canBeMade(directory: string): boolean {
  let there = directory;
  while (!existsSync(there)) there = path.dirname(there);
  try {
    accessSync(there, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
