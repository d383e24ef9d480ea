import { printCheck, referencesOf } from './check.ts';
import type { Check } from './check.ts';
import { compileCheck } from './compile-check.ts';
import type { CompiledCheck, PolicyCredentials, PolicyTarget } from './compile-check.ts';
import { DEFAULT_RULES } from './default-rules.ts';
import { HELPER_RULES } from './helper-rules.ts';
import { nearestName } from './nearest-name.ts';
import { parseCheck } from './parse-check.ts';
import { PolicyError } from './policy-error.ts';
import { readPolicyFile } from './policy-file.ts';
import type { FileRule, PolicyFile } from './policy-file.ts';
import { badReferences } from './references.ts';

export interface Policy {
  /** Asking for a rule that does not exist is a mistake in the program, and throws. */
  allows(rule: string, credentials: PolicyCredentials, target: PolicyTarget): boolean;
  /** Every rule in force with its check string. */
  rules(): ReadonlyMap<string, string>;
  /** What the operator should look at although it can be used. */
  readonly warnings: readonly string[];
}

const DEFAULT_CHECKS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(HELPER_RULES),
  ...DEFAULT_RULES.map(({ name, check }) => [name, check] as const),
]);

const PROJECT_ONLY: ReadonlySet<string> = new Set(
  DEFAULT_RULES.filter(({ scope }) => scope === 'project').map(({ name }) => name),
);

/** Compiles rules in the order in which they need each other, so that a reference costs one call and no look-up. */
function compileAll(checks: ReadonlyMap<string, Check>): Map<string, CompiledCheck> {
  const compiled = new Map<string, CompiledCheck>();
  const ruleNamed = (name: string): CompiledCheck => {
    const done = compiled.get(name);
    if (done !== undefined) return done;
    const check = checks.get(name);
    if (check === undefined) throw new Error(`No policy rule is named "${name}".`);
    const made = compileCheck(check, ruleNamed);
    compiled.set(name, made);
    return made;
  };
  for (const name of checks.keys()) ruleNamed(name);
  return compiled;
}

/** A token for the system or for a domain has no project whose resources it could mean. */
function inProject(check: CompiledCheck): CompiledCheck {
  return (credentials, target) =>
    !credentials['system_scope'] && !credentials['domain_id'] && check(credentials, target);
}

/** Names that neither the API nor another rule asks for: allowed, since nothing breaks, but most likely misspelt. */
function unusedRules(
  fileRules: readonly FileRule[],
  checks: ReadonlyMap<string, Check>,
  file: string,
): string[] {
  const used = new Set([...checks.values()].flatMap((check) => referencesOf(check)));
  return fileRules
    .filter(({ name }) => !DEFAULT_CHECKS.has(name) && !used.has(name))
    .map(({ name, line }) => {
      const nearest = nearestName(name, DEFAULT_CHECKS.keys());
      const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
      return `${file}:${line}: nothing asks for rule "${name}", so it has no effect.${hint}`;
    });
}

/** Magnum's default rules, changed by the operator's file. Throws a {@link PolicyError} when the file is wrong. */
export function compilePolicy(overrides?: PolicyFile): Policy {
  const file = overrides?.file ?? 'default policy';
  const fileRules = overrides === undefined ? [] : readPolicyFile(overrides);
  const checks = new Map([...DEFAULT_CHECKS].map(([name, check]) => [name, parseCheck(check)]));
  const texts = new Map(DEFAULT_CHECKS);
  for (const { name, check } of fileRules) {
    checks.set(name, check);
    texts.set(name, printCheck(check));
  }

  const lineOf = new Map(fileRules.map(({ name, line }) => [name, line]));
  // A default rule can only be at fault because of a rule of the file, which is then reported with its own line.
  const problems = badReferences(checks, (name) => nearestName(name, checks.keys())).flatMap(
    ({ rule, reason }) => {
      const line = lineOf.get(rule);
      return line === undefined ? [] : [{ line, reason: `rule "${rule}": ${reason}` }];
    },
  );
  if (problems.length > 0) throw new PolicyError(file, problems);

  const compiled = compileAll(checks);
  for (const name of PROJECT_ONLY) {
    const check = compiled.get(name);
    if (check !== undefined) compiled.set(name, inProject(check));
  }
  return {
    allows(rule, credentials, target) {
      const check = compiled.get(rule);
      if (check === undefined) throw new Error(`No policy rule is named "${rule}".`);
      return check(credentials, target);
    },
    rules: () => texts,
    warnings: unusedRules(fileRules, checks, file),
  };
}
