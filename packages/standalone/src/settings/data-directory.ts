import os from 'node:os';
import path from 'node:path';

/** Where each kind of user's programs keep their data: the system's place for root, the user's own for others. */
export function defaultDataDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  if (process.getuid?.() === 0) return '/var/lib/jeroboam';
  const shared = environment.XDG_DATA_HOME;
  // The convention says that a relative path there is to be ignored.
  if (shared !== undefined && path.isAbsolute(shared)) return path.join(shared, 'jeroboam');
  return path.join(os.homedir(), '.local/share/jeroboam');
}
