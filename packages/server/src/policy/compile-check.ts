import type { Check, Template } from './check.ts';

/** Who asks. Members beyond the named ones can be compared in rules by their names. */
export interface PolicyCredentials {
  readonly roles: readonly string[];
  readonly project_id: string | null;
  readonly user_id: string;
  readonly is_admin?: boolean;
  readonly [member: string]: unknown;
}

/** What is asked about: the attributes of the resource. */
export type PolicyTarget = Readonly<Record<string, unknown>>;

export type CompiledCheck = (credentials: PolicyCredentials, target: PolicyTarget) => boolean;

/** Rules compare texts, and the texts of their world are those that Python's `str()` gives. Objects have none. */
function pythonText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value == null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  return typeof value === 'number' ? String(value) : null;
}

/** The template filled from a target, or null when the target lacks one of its attributes. */
function compileTemplate(template: Template): (target: PolicyTarget) => string | null {
  const [only] = template;
  if (only === undefined) return () => '';
  if (template.length === 1) {
    if (typeof only === 'string') return () => only;
    const { attribute } = only;
    return (target) => (Object.hasOwn(target, attribute) ? pythonText(target[attribute]) : null);
  }
  const parts = template.map((part) => compileTemplate([part]));
  return (target) => {
    let text = '';
    for (const part of parts) {
      const piece = part(target);
      if (piece === null) return null;
      text += piece;
    }
    return text;
  };
}

/** A list anywhere on the way holds when one of its elements does. */
function holds(value: unknown, path: readonly string[], depth: number, expected: string): boolean {
  if (Array.isArray(value)) return value.some((element) => holds(element, path, depth, expected));
  const key = path[depth];
  if (key === undefined) return pythonText(value) === expected;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
  return holds(Reflect.get(value, key), path, depth + 1, expected);
}

function compileCredential(path: readonly string[], match: Template): CompiledCheck {
  const [key = '', ...rest] = path;
  const fill = compileTemplate(match);
  return (credentials, target) => {
    const expected = fill(target);
    if (expected === null || !Object.hasOwn(credentials, key)) return false;
    const value = credentials[key];
    if (typeof value === 'string') return rest.length === 0 && value === expected;
    return holds(value, rest, 0, expected);
  };
}

function compileRole(match: Template): CompiledCheck {
  const fill = compileTemplate(match);
  const [only] = match;
  const fixed = match.length === 1 && typeof only === 'string' ? only.toLowerCase() : null;
  return ({ roles }, target) => {
    const wanted = fixed ?? fill(target)?.toLowerCase();
    if (wanted === undefined) return false;
    for (const role of roles) if (role === wanted || role.toLowerCase() === wanted) return true;
    return false;
  };
}

function compileAll(checks: readonly Check[], rule: (name: string) => CompiledCheck): CompiledCheck[] {
  return checks.map((check) => compileCheck(check, rule));
}

/** Turns a check into a function. `rule` gives the functions of the rules it refers to. */
export function compileCheck(check: Check, rule: (name: string) => CompiledCheck): CompiledCheck {
  switch (check.kind) {
    case 'allow':
      return () => true;
    case 'deny':
      return () => false;
    case 'not': {
      const inner = compileCheck(check.check, rule);
      return (credentials, target) => !inner(credentials, target);
    }
    case 'and': {
      const parts = compileAll(check.checks, rule);
      return (credentials, target) => {
        for (const part of parts) if (!part(credentials, target)) return false;
        return true;
      };
    }
    case 'or': {
      const parts = compileAll(check.checks, rule);
      return (credentials, target) => {
        for (const part of parts) if (part(credentials, target)) return true;
        return false;
      };
    }
    case 'rule':
      return rule(check.name);
    case 'role':
      return compileRole(check.match);
    case 'literal': {
      const fill = compileTemplate(check.match);
      const { text } = check;
      return (_credentials, target) => fill(target) === text;
    }
    default:
      return compileCredential(check.path, check.match);
  }
}
