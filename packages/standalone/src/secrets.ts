import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { SandboxUser } from './clouds.ts';
import { sandboxUsers } from './clouds.ts';
import { writePrivateFile } from './data-directory.ts';
import { codeOf, messageOf, StartError } from './start-error.ts';

export type Passwords = Record<SandboxUser, string>;

/** The passwords of the sandbox cloud's users: drawn once, then the same at every start. */
export async function loadOrDrawPasswords(file: string): Promise<Passwords> {
  const kept = await read(file);
  const passwords = Object.fromEntries(
    sandboxUsers.map((user) => [user, kept[user] ?? randomBytes(18).toString('base64url')]),
  ) as Passwords;
  if (sandboxUsers.some((user) => kept[user] === undefined)) {
    await writePrivateFile(file, `${JSON.stringify({ passwords }, null, 2)}\n`);
  }
  return passwords;
}

async function read(file: string): Promise<Partial<Passwords>> {
  try {
    const { passwords } = JSON.parse(await readFile(file, 'utf8')) as { passwords?: Partial<Passwords> };
    return passwords ?? {};
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    // What the parser says may quote the file, which holds secrets.
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : messageOf(error);
    throw new StartError(
      `${file} cannot be used (${reason}): mend it, or remove it to have new passwords drawn`,
    );
  }
}
