import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { run } from './program.ts';
import { MissingPart, say } from './report.ts';

const requirements = path.join(import.meta.dirname, '..', 'requirements.txt');
const fiveMinutes = 300_000;

/** A Python with the clients that requirements.txt names. */
export interface PythonEnvironment {
  /** The path of a program that one of the packages brings. */
  program(name: string): string;
  /** Where the packages lie. */
  readonly packages: string;
}

/** The system's own first; another where that one is too old for the clients. */
const candidates = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
const question =
  'import sys, venv; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 11))';

async function findPython(): Promise<{ python: string; version: string }> {
  const options = { env: process.env, cwd: os.tmpdir(), timeoutMs: 30_000 };
  for (const python of candidates) {
    // No such program: the same to us as one that does not do.
    const asked = await run(python, ['-c', question], options).catch(() => null);
    if (asked?.code === 0) return { python, version: asked.stdout.trim() };
  }
  throw new MissingPart(
    'The Python clients need Python 3.11 or newer with its venv module: install it, or run only `--only gophercloud`.',
  );
}

async function build(python: string, directory: string): Promise<void> {
  const options = { env: process.env, cwd: os.tmpdir(), timeoutMs: fiveMinutes };
  const pip = path.join(directory, 'bin', 'pip');
  const steps: [string, string[]][] = [
    [python, ['-m', 'venv', directory]],
    [pip, ['install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]],
  ];
  for (const [command, args] of steps) {
    const ended = await run(command, args, options);
    if (ended.code === 0) continue;
    await rm(directory, { recursive: true, force: true });
    const reason = ended.stderr.trim().split('\n').at(-1) ?? 'no reason given';
    throw new MissingPart(`The Python clients cannot be installed from the package index: ${reason}`);
  }
}

/**
 * Makes the environment once for each set of pins and keeps it outside the clone. It is built under a name of its own
 * and then linked, because two runs may build at once and the scripts of an environment do not outlive a move.
 */
export async function pythonEnvironment(): Promise<PythonEnvironment> {
  const { python, version } = await findPython();
  const pins = createHash('sha256')
    .update(version)
    .update(await readFile(requirements));
  const cache = path.join(
    process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'),
    'jeroboam',
    'peers',
  );
  const link = path.join(cache, `python-${pins.digest('hex').slice(0, 16)}`);
  if (!existsSync(link)) {
    say(`Installing the Python clients into ${link} …`);
    const directory = `${link}.${randomBytes(4).toString('hex')}`;
    await mkdir(cache, { recursive: true });
    await build(python, directory);
    await symlink(directory, link).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      await rm(directory, { recursive: true, force: true });
    });
  }
  return {
    program: (name) => path.join(link, 'bin', name),
    packages: path.join(link, 'lib', `python${version}`, 'site-packages'),
  };
}
