// What every npm script of this repository calls: `node scripts/launch.mjs <word> [arguments…]`.
//
// It must run on a machine where nothing is installed yet, on any Node that may call itself current, so
// everything here is plain JavaScript without dependencies. In turn it installs, picks a Node that is new enough
// for our libraries, builds, and hands over to the real program.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, buildIsCurrent } from './launcher/build.mjs';
import { dependenciesAreCurrent, installDependencies } from './launcher/install.mjs';
import { withLock } from './launcher/lock.mjs';
import { chooseNode } from './launcher/node.mjs';
import { LaunchError, complain } from './launcher/report.mjs';
import { run } from './launcher/run.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** What each word runs once the tree is ready; `build` names the project that must be built before it. */
const words = {
  start: { build: 'packages/standalone', program: 'packages/standalone/dist/main.js', service: true },
  'rotate-keys': { build: 'packages/standalone', program: 'packages/standalone/dist/rotate-keys.js' },
  test: { program: 'scripts/test.mjs' },
  check: { program: 'scripts/check.mjs' },
  build: { build: '.' },
  format: { program: 'node_modules/oxfmt/bin/oxfmt', prepend: ['.'] },
  bench: { build: 'packages/standalone', program: 'bench/main.ts' },
  peers: { build: 'packages/standalone', program: 'tests/peers/run.ts' },
};

async function main([word, ...rest]) {
  const target = Object.hasOwn(words, word ?? '') ? words[word] : undefined;
  if (!target) {
    throw new LaunchError(`usage: node scripts/launch.mjs ${Object.keys(words).join('|')} [arguments]`, 2);
  }
  await prepare(target.build);
  if (!target.program) return 0;
  return run({
    node: chooseNode(root),
    program: path.join(root, target.program),
    // npm leaves a bare `--` in place when it is called by another program; it separates, it is no argument.
    args: [...(target.prepend ?? []), ...(rest[0] === '--' ? rest.slice(1) : rest)],
    service: target.service === true,
  });
}

/**
 * Installs and builds what is missing. Looking comes first and takes no lock, so that a finished tree can be
 * started by someone who may not write to it; what there is to do is looked at again under the lock, because a
 * second `npm start` in the same clone may have done it meanwhile.
 */
async function prepare(project) {
  const isReady = () =>
    dependenciesAreCurrent(root) && (project === undefined || buildIsCurrent(root, project));
  if (isReady()) return;
  await withLock(root, async () => {
    if (!dependenciesAreCurrent(root)) await installDependencies(root);
    if (project !== undefined && !buildIsCurrent(root, project)) {
      await build(root, project, chooseNode(root));
    }
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof LaunchError)) throw error;
  complain(error.message);
  process.exitCode = error.exitCode;
}
