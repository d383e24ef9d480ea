import { contradictions } from './contradictions.ts';
import { fromEnvironment } from './from-environment.ts';
import { fromFile } from './from-file.ts';
import type { FlagsWanted } from './from-flags.ts';
import { fromFlags } from './from-flags.ts';
import type { Given } from './given.ts';
import { Mismatch, file as fileKind } from './kinds.ts';
import { SettingsError } from './problem.ts';
import type { SettingName, Settings } from './schema.ts';
import { schema, settingNames } from './schema.ts';

export interface ReadSettings {
  wanted: FlagsWanted;
  settings: Settings;
  /** What is worth a look but no mistake. */
  warnings: readonly string[];
}

/** Flags win over the environment, that over the file, and that over the defaults. All mistakes are told at once. */
export async function readSettings(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<ReadSettings> {
  const flags = fromFlags(args);
  if (flags.wanted !== 'settings') {
    return { wanted: flags.wanted, settings: defaults(), warnings: [] };
  }
  const variables = fromEnvironment(environment);
  const config = flags.given.config ?? variables.given.config;
  const fromConfig = config && (await fromFile(fileKind.parse(config.value), config.from));

  const given: Partial<Record<SettingName, Given>> = {
    ...fromConfig?.given,
    ...variables.given,
    ...flags.given,
  };
  const problems = [...flags.problems, ...variables.problems, ...(fromConfig?.problems ?? [])];
  const settings = parseAll(given, problems);
  if (problems.length === 0) problems.push(...contradictions({ settings, given }));
  if (problems.length > 0) throw new SettingsError(problems);
  return { wanted: 'settings', settings, warnings: variables.warnings };
}

/** The settings of a start without flags, variables and file. */
export function defaults(): Settings {
  return parseAll({}, []);
}

function parseAll(given: Partial<Record<SettingName, Given>>, problems: string[]): Settings {
  const values: Record<string, unknown> = {};
  for (const name of settingNames) {
    const one = given[name];
    values[name] = one === undefined ? schema[name].default : parseOne(name, one, problems);
  }
  return values as Settings;
}

function parseOne(name: SettingName, { value, from }: Given, problems: string[]): unknown {
  try {
    return schema[name].kind.parse(value);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    const secret = 'secret' in schema[name] && schema[name].secret === true;
    problems.push(`${from}: ${secret ? 'the value' : JSON.stringify(value)} ${error.message}`);
    return undefined;
  }
}
