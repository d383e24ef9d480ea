// What is checked without running the product.

import { execute } from './execute.mjs';

const checks = [
  {
    name: 'format',
    tool: 'node_modules/oxfmt/bin/oxfmt',
    args: ['--check', '.'],
    remedy: '`npm run format` writes the files as they should be',
  },
  {
    name: 'lint',
    tool: 'node_modules/oxlint/bin/oxlint',
    args: ['.'],
    remedy: 'the rules and their reasons stand in .oxlintrc.json',
  },
  {
    name: 'types',
    tool: 'node_modules/typescript/bin/tsc',
    args: ['-b'],
    remedy: 'the compiler has said above what is wrong',
  },
];

/** Runs all of them, so that one run tells everything; answers how many failed. */
export async function runChecks() {
  let failed = 0;
  for (const check of checks) {
    console.log(`check: ${check.name}`);
    if ((await execute(check.tool, check.args)) === 0) continue;
    failed += 1;
    console.log(`check: ${check.name} failed: ${check.remedy}`);
  }
  return failed;
}
