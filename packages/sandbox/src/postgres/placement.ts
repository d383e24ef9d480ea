import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Account } from './account.ts';
import { accountForPostgres, canPassThrough } from './account.ts';
import { PostgresError } from './errors.ts';
import type { Layout } from './layout.ts';
import { layoutOf } from './layout.ts';

/** Where the cluster lives and as whom it runs. */
export interface Placement {
  layout: Layout;
  account: Account | undefined;
  /** Where copies of the programs may be put so that the account can run them. */
  copies: () => string;
}

/** In the wanted directory, tells where the data really are. */
const pointerIn = (wanted: string) => path.join(wanted, 'moved-to');

/**
 * An ordinary user's data lie where they were wanted. Root's data are PostgreSQL's account's, which may not be
 * able to get there at all (/root is closed to others, and opening other people's directories is not ours to do):
 * then they go to the shelter, and a pointer in the wanted directory says so. The name in the shelter is drawn,
 * not derived: whoever deletes the wanted directory gets a fresh cluster and not the ghost of the old one.
 */
export async function place(
  wanted: string,
  shelter: string,
  log: (line: string) => void,
): Promise<Placement> {
  const pointed = existsSync(pointerIn(wanted)) ? readFileSync(pointerIn(wanted), 'utf8').trim() : undefined;
  const layout = layoutOf(pointed ?? wanted);
  const owner = ownerOf(layout.data);
  const account = accountForPostgres(owner);
  if (account === undefined) {
    refuseForeignData(layout, owner);
    return { layout, account, copies: () => layout.directory };
  }
  const copies = () => shelter;
  await mkdir(path.dirname(layout.directory), { recursive: true });
  if (canPassThrough(account, path.dirname(layout.directory))) return { layout, account, copies };
  if (owner !== undefined) {
    throw new PostgresError(
      `PostgreSQL's data are in ${layout.data}, which their owner (${account.name}) can no longer reach: ` +
        `let that user pass through ${path.dirname(layout.directory)}`,
    );
  }

  const name = `${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}-${randomBytes(4).toString('hex')}`;
  const sheltered = path.join(shelter, name);
  log(
    `user ${account.name}, who runs PostgreSQL, cannot reach ${wanted}: its data are kept in ${sheltered} instead`,
  );
  // Our own new directory must let the account pass whatever the umask says; one that was there stays as it is.
  if ((await mkdir(shelter, { recursive: true })) !== undefined) await chmod(shelter, 0o755);
  await mkdir(wanted, { recursive: true });
  await writeFile(pointerIn(wanted), `${sheltered}\n`);
  return { layout: layoutOf(sheltered), account, copies };
}

function ownerOf(data: string): { uid: number; gid: number } | undefined {
  try {
    const { uid, gid } = statSync(data);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

function refuseForeignData(layout: Layout, owner: { uid: number } | undefined): void {
  if (owner === undefined || owner.uid === process.getuid?.()) return;
  throw new PostgresError(
    `PostgreSQL's data in ${layout.data} belong to another user (uid ${owner.uid}): ` +
      'start as that user or as root, or choose another data directory',
  );
}
