import { readFileSync } from 'node:fs';

/** The differences that docs/sandbox-differences.md admits, each with its reason. */
export function listedDifferences(): Map<string, string> {
  const text = readFileSync(new URL('../../../../../docs/sandbox-differences.md', import.meta.url), 'utf8');
  const listed = new Map<string, string>();
  for (const [, name, reason] of text.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)) {
    if (name !== undefined && reason !== undefined) listed.set(name, reason.trim());
  }
  return listed;
}
