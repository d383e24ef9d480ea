/** One check of oslo.policy's language, as it was written and before it is compiled. */
export type Check =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny' }
  | { readonly kind: 'not'; readonly check: Check }
  | { readonly kind: 'and' | 'or'; readonly checks: readonly Check[] }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'role'; readonly match: Template }
  | { readonly kind: 'literal'; readonly text: string; readonly match: Template }
  /** A member of the caller's credentials, by path, against the expected text. */
  | { readonly kind: 'credential'; readonly path: readonly string[]; readonly match: Template };

/** Text with holes that are filled from the target: `%(project_id)s`. Plain texts and holes alternate freely. */
export type Template = readonly (string | { readonly attribute: string })[];

function printTemplate(template: Template): string {
  return template
    .map((part) => (typeof part === 'string' ? part.replaceAll('%', '%%') : `%(${part.attribute})s`))
    .join('');
}

/** Writes a check in the language again, with parentheses wherever a reader could wonder. */
export function printCheck(check: Check): string {
  switch (check.kind) {
    case 'allow':
      return '@';
    case 'deny':
      return '!';
    case 'not':
      return `not ${nested(check.check)}`;
    case 'and':
    case 'or':
      return check.checks.map((part) => nested(part)).join(` ${check.kind} `);
    case 'rule':
      return `rule:${check.name}`;
    case 'role':
      return `role:${printTemplate(check.match)}`;
    case 'literal':
      return `'${check.text}':${printTemplate(check.match)}`;
    default:
      return `${check.path.join('.')}:${printTemplate(check.match)}`;
  }
}

function nested(check: Check): string {
  const text = printCheck(check);
  return check.kind === 'and' || check.kind === 'or' ? `(${text})` : text;
}

/** Names of all rules that a check refers to. */
export function referencesOf(check: Check): string[] {
  switch (check.kind) {
    case 'rule':
      return [check.name];
    case 'not':
      return referencesOf(check.check);
    case 'and':
    case 'or':
      return check.checks.flatMap((part) => referencesOf(part));
    default:
      return [];
  }
}
