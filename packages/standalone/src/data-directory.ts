import { chmod, mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';

import { messageOf, StartError } from './start-error.ts';

/** What the service keeps in its data directory. */
export interface DataDirectory {
  path: string;
  postgres: string;
  secrets: string;
  sealingKeys: string;
  clouds: string;
  managementCluster: string;
  log: string;
}

/** Makes the directory where it is not there, closed to others as far as that is possible. */
export async function openDataDirectory(wanted: string): Promise<DataDirectory> {
  const directory = path.resolve(wanted);
  try {
    const made = await mkdir(directory, { recursive: true });
    // As root, PostgreSQL runs as another user, who must pass through but need not see what is there.
    if (made !== undefined) await chmod(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (error) {
    throw new StartError(
      `the data directory ${directory} cannot be made (${messageOf(error)}): give another one with --data-dir`,
    );
  }
  return {
    path: directory,
    postgres: path.join(directory, 'postgres'),
    secrets: path.join(directory, 'secrets.json'),
    sealingKeys: path.join(directory, 'sealing.keys'),
    clouds: path.join(directory, 'clouds.yaml'),
    managementCluster: path.join(directory, 'management-cluster'),
    log: path.join(directory, 'jeroboam.log'),
  };
}

/** Replaces a file whole or not at all, readable by its owner only; it is on disk when this returns. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const replacement = `${file}.${process.pid}.new`;
  const handle = await open(replacement, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(replacement, file);
}
