// Are the dependencies there, and the ones the lock file names? If not, npm installs them.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { LaunchError, progress } from './report.mjs';

const stampOf = (root) => path.join(root, 'node_modules', '.jeroboam-installed');

/** The lock file decides; the platform too, because a clone may be shared between machines of two kinds. */
function fingerprint(root) {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

export function dependenciesAreCurrent(root) {
  try {
    if (readFileSync(stampOf(root), 'utf8') === fingerprint(root)) return true;
  } catch {
    // No stamp: perhaps someone ran npm by hand, which is as good.
  }
  return installedByHand(root);
}

/** Compares what npm says it has put into node_modules with what the lock file asks for. */
function installedByHand(root) {
  try {
    const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(
      readFileSync(path.join(root, 'node_modules', '.package-lock.json'), 'utf8'),
    ).packages;
    return Object.entries(wanted).every(([place, entry]) => {
      if (!place.startsWith('node_modules/')) return true;
      const found = present[place];
      return found === undefined ? entry.optional === true : found.version === entry.version;
    });
  } catch {
    return false;
  }
}

export async function installDependencies(root) {
  await progress('installing dependencies', async () => {
    beginInstallation(root);
    const cache = usableCache();
    try {
      await npm(root, cache.environment);
    } finally {
      cache.dispose();
    }
    writeFileSync(stampOf(root), fingerprint(root));
  });
}

/**
 * What tells of a finished installation goes first. Where that is missing, the last one was cut short and may
 * have left half a package behind, which npm would take for a whole one: then it starts from nothing.
 */
function beginInstallation(root) {
  const modules = path.join(root, 'node_modules');
  const finished = [stampOf(root), path.join(modules, '.package-lock.json')];
  if (!finished.some((file) => existsSync(file))) rmSync(modules, { recursive: true, force: true });
  for (const file of finished) rmSync(file, { force: true });
}

/**
 * What decides the outcome is said here, so that neither a .npmrc nor npm_config_* nor NODE_ENV can leave out
 * the compiler, or install into another place. Where packages come from stays the user's affair.
 *
 * It is `install` without saving, and not `ci`: both take the versions of the lock file, but `ci` refuses one that
 * leaves out other platforms' variants of our tools, which not every registry has.
 */
const decided = [
  'install',
  '--save=false',
  '--include=dev',
  '--include=optional',
  '--include=peer',
  '--package-lock=true',
  '--global=false',
  '--dry-run=false',
  '--engine-strict=false',
  '--legacy-peer-deps=false',
  '--strict-peer-deps=false',
  '--install-strategy=hoisted',
  '--install-links=false',
  '--audit=false',
  '--fund=false',
  '--progress=false',
  '--update-notifier=false',
  '--loglevel=error',
];

const sources =
  /^npm_config_(\/\/.*|.*registry|cache|.*proxy|ca|cafile|cert|key|strict_ssl|userconfig|globalconfig|fetch_.*|maxsockets|.*offline|.*auth.*|ignore_scripts)$/i;

function npm(root, extraEnvironment) {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.toLowerCase().startsWith('npm_config_') || sources.test(name),
    ),
  );
  // Under `npm start` we are told which npm that was, and which Node ran it: not the bundled one, which npm is
  // about to replace. By hand, it is the npm on the PATH.
  const execpath = process.env.npm_execpath ?? '';
  const [command, ...first] = /npm-cli\.[cm]?js$/.test(execpath)
    ? [process.env.npm_node_execpath ?? process.execPath, execpath]
    : ['npm'];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...decided], {
      cwd: root,
      env: { ...environment, ...extraEnvironment },
      stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    });
    child.on('error', (error) =>
      reject(new LaunchError(`npm could not be started to install the dependencies: ${error.message}`)),
    );
    child.on('exit', (code, signal) =>
      code === 0
        ? resolve()
        : reject(
            new LaunchError(
              `npm could not install the dependencies (${signal ?? `exit code ${code}`}); its own words are above`,
            ),
          ),
    );
  });
}

/** A service account often has no home to keep npm's cache in: then a temporary one does for this installation. */
function usableCache() {
  const usual = process.env.npm_config_cache ?? path.join(os.homedir(), '.npm');
  try {
    mkdirSync(usual, { recursive: true });
    accessSync(usual, constants.W_OK);
    return { environment: {}, dispose: () => {} };
  } catch {
    const temporary = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-npm-'));
    return {
      environment: { npm_config_cache: temporary },
      dispose: () => rmSync(temporary, { recursive: true, force: true }),
    };
  }
}
