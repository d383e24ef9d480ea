// `npm test`: the checks, then every tier this machine can run. The last line counts them all:
// `N passed, N failed`. Arguments (`npm test -- quota`) go to vitest as filters; `--tier engine` runs one tier alone.

import { runChecks } from './testing/checks.mjs';
import { tiers } from './testing/tiers.mjs';
import { runTier } from './testing/vitest.mjs';

const filters = process.argv.slice(2);
const named = filters.indexOf('--tier');
const [, only] = named < 0 ? [] : filters.splice(named, 2);
let passed = 0;
// A failed check counts, so that "0 failed" never stands above an exit code that says otherwise.
let failed = only === undefined ? await runChecks() : 0;
const leftOut = [];

for (const tier of tiers) {
  if (only !== undefined && tier.name !== only) continue;
  const obstacle = await tier.obstacle(only !== undefined);
  if (obstacle !== null) {
    leftOut.push(`tier ${tier.name} did not run: ${obstacle}`);
    continue;
  }
  console.log(`\ntier: ${tier.name}`);
  const counted = await runTier(tier.name, filters);
  passed += counted.passed;
  failed += counted.failed;
}

for (const sentence of leftOut) console.log(sentence);
if (passed + failed === 0) console.log('no test matched: nothing ran');
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
