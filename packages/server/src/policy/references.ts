import { referencesOf } from './check.ts';
import type { Check } from './check.ts';

export interface BadReference {
  /** The rule whose check is at fault. */
  readonly rule: string;
  readonly reason: string;
}

/** The way from a rule back to itself, first and last being the same; null when there is none. */
function cycleThrough(start: string, checks: ReadonlyMap<string, Check>): string[] | null {
  const visited = new Set<string>();
  const walk = (name: string, path: readonly string[]): string[] | null => {
    const check = checks.get(name);
    if (check === undefined) return null;
    for (const next of referencesOf(check)) {
      if (next === start) return [...path, name, next];
      if (visited.has(next)) continue;
      visited.add(next);
      const found = walk(next, [...path, name]);
      if (found !== null) return found;
    }
    return null;
  };
  return walk(start, []);
}

/**
 * References that lead nowhere or in a circle. oslo.policy only warns and then refuses every request such a rule is
 * asked for; a mistake that locks people out is better found before the service takes requests.
 */
export function badReferences(
  checks: ReadonlyMap<string, Check>,
  suggest: (name: string) => string | null,
): BadReference[] {
  const bad: BadReference[] = [];
  for (const [rule, check] of checks) {
    for (const name of new Set(referencesOf(check))) {
      if (checks.has(name)) continue;
      const suggestion = suggest(name);
      const hint = suggestion === null ? '' : ` (did you mean "${suggestion}"?)`;
      bad.push({ rule, reason: `refers to rule "${name}", which does not exist${hint}` });
    }
    const cycle = cycleThrough(rule, checks);
    if (cycle !== null) bad.push({ rule, reason: `refers to itself: ${cycle.join(' → ')}` });
  }
  return bad;
}
