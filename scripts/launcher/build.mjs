// Is what was built made from the sources that are here now? The compiler could answer, but loading it takes
// longer than a start may; so the sources' names, sizes and times are compared with those of the last build.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { LaunchError, progress } from './report.mjs';

const stampOf = (root, project) =>
  path.join(root, 'node_modules', '.cache', 'jeroboam', `built-${project.replaceAll(/\W+/g, '-')}`);

function packagesOf(root) {
  return readdirSync(path.join(root, 'packages'), { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && existsSync(path.join(root, 'packages', entry.name, 'tsconfig.json')),
    )
    .map((entry) => path.join(root, 'packages', entry.name));
}

function* filesUnder(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) yield* filesUnder(full);
    else yield full;
  }
}

const byName = (one, other) => (one < other ? -1 : 1);

function fingerprint(root) {
  const hash = createHash('sha256');
  const add = (file) => {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(root, file)} ${size} ${mtimeMs}\n`);
  };
  for (const name of ['tsconfig.base.json', 'tsconfig.json', 'package-lock.json']) add(path.join(root, name));
  for (const directory of packagesOf(root)) {
    for (const name of ['package.json', 'tsconfig.json']) add(path.join(directory, name));
    const sources = path.join(directory, 'src');
    if (existsSync(sources)) [...filesUnder(sources)].sort(byName).forEach(add);
  }
  return hash.digest('hex');
}

export function buildIsCurrent(root, project) {
  // The whole tree is asked for by name (`npm run build`): that question goes to the compiler.
  if (project === '.') return false;
  try {
    return (
      readFileSync(stampOf(root, project), 'utf8') === fingerprint(root) &&
      packagesOf(root).every((directory) => existsSync(path.join(directory, 'dist', '.tsbuildinfo')))
    );
  } catch {
    return false;
  }
}

export async function build(root, project, node) {
  // Taken before the compiler reads the sources: an edit during the build then shows as a difference.
  const made = fingerprint(root);
  await progress('building', () => compile(root, project, node));
  const stamp = stampOf(root, project);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, made);
}

function compile(root, project, node) {
  return new Promise((resolve, reject) => {
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const child = spawn(node, [compiler, '-b', project], {
      cwd: root,
      stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new LaunchError('the build failed; the compiler has said above what is wrong')),
    );
  });
}
