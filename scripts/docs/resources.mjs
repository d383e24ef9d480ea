// `node scripts/docs/resources.mjs` writes the tables of docs/resources.md anew, from the tables that validate requests;
// with `--check` it only says whether they are true. It reads TypeScript, so it needs the Node that the launcher picks.

import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from './attribute-tables.mjs';

const page = new URL('../../docs/resources.md', import.meta.url);
const before = readFileSync(page, 'utf8');
const after = withTables(before);

if (!process.argv.includes('--check')) {
  writeFileSync(page, after);
} else if (after !== before) {
  console.error('docs/resources.md is out of date: `node scripts/docs/resources.mjs` writes it anew');
  process.exitCode = 1;
}
