// Runs one tier with vitest and counts from its machine-readable report, never from what it prints for people.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { execute } from './execute.mjs';

export async function runTier(name, filters) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-test-report-'));
  const report = path.join(directory, 'report.json');
  try {
    const exitCode = await execute('node_modules/vitest/vitest.mjs', [
      'run',
      `--project=${name}`,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...filters,
    ]);
    return count(exitCode, report);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A file that could not even be loaded has no failed test, and a crashed run no report: both count as a failure. */
export function count(exitCode, report) {
  let passed = 0;
  let failed = 0;
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    for (const file of testResults) {
      const failures = file.assertionResults.filter(({ status }) => status === 'failed').length;
      passed += file.assertionResults.filter(({ status }) => status === 'passed').length;
      failed += failures === 0 && file.status === 'failed' ? 1 : failures;
    }
  } catch (error) {
    console.log(`the report of the tests could not be read: ${error.message}`);
  }
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
