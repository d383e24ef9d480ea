import type { Source } from './given.ts';
import { nearest } from './nearest.ts';
import { settingNames } from './schema.ts';
import { variableOf } from './setting.ts';

/** Reads JEROBOAM_* variables; an empty one counts as not given, because it is how shells unset one. */
export function fromEnvironment(environment: NodeJS.ProcessEnv): Source & { warnings: string[] } {
  const source: Source & { warnings: string[] } = { given: {}, problems: [], warnings: [] };
  for (const name of settingNames) {
    const variable = variableOf(name);
    const value = environment[variable];
    if (value !== undefined && value !== '') {
      source.given[name] = { value, from: `${variable} in the environment` };
    }
  }
  // Other programs may use the prefix as well, so a stranger is only remarked on where it looks like a slip.
  const known = settingNames.map(variableOf);
  for (const variable of Object.keys(environment)) {
    if (!variable.startsWith('JEROBOAM_') || known.includes(variable)) continue;
    const guess = nearest(variable, known);
    if (guess !== undefined) {
      source.warnings.push(`${variable} in the environment is not a setting: did you mean ${guess}?`);
    }
  }
  return source;
}
