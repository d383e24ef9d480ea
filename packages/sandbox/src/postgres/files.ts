import { chmodSync, chownSync, renameSync, writeFileSync } from 'node:fs';

import type { Account } from './account.ts';

/**
 * Replaces a file whole or not at all, readable only for the account that runs PostgreSQL. The owner is set
 * before the file gets its name, so that the server never meets a file it may not read.
 */
export function replaceFile(file: string, text: string, account: Account | undefined): void {
  const replacement = `${file}.${process.pid}.new`;
  writeFileSync(replacement, text, { mode: 0o600 });
  chmodSync(replacement, 0o600);
  if (account !== undefined) chownSync(replacement, account.uid, account.gid);
  renameSync(replacement, file);
}
