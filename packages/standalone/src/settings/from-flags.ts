import { Command, CommanderError, Option } from 'commander';

import type { Source } from './given.ts';
import { yesOrNo } from './kinds.ts';
import { didYouMean } from './nearest.ts';
import { schema, settingNames } from './schema.ts';
import { flagOf } from './setting.ts';

export type FlagsWanted = 'help' | 'version' | 'settings';

/** Reads the command line. A flag that needs a value takes the next word; a switch may stand alone. */
export function fromFlags(args: readonly string[]): Source & { wanted: FlagsWanted } {
  if (args.includes('--help') || args.includes('-h')) return { wanted: 'help', given: {}, problems: [] };
  if (args.includes('--version')) return { wanted: 'version', given: {}, problems: [] };

  const command = new Command().exitOverride().helpOption(false).allowExcessArguments(true);
  // What is wrong is said in our own words, once.
  command.configureOutput({ writeErr: () => {}, outputError: () => {} });
  for (const name of settingNames) {
    const flag = flagOf(name);
    const isSwitch = Object.is(schema[name].kind, yesOrNo);
    command.addOption(
      isSwitch ? new Option(`${flag} [value]`).preset('true') : new Option(`${flag} <value>`),
    );
  }

  const source: Source & { wanted: FlagsWanted } = { wanted: 'settings', given: {}, problems: [] };
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { ...source, problems: [problemOf(error)] };
  }
  const [stray] = command.args;
  if (stray !== undefined) {
    source.problems.push(
      `${JSON.stringify(stray)} is not a flag: settings are given as --name value, see --help`,
    );
  }
  const values = command.opts<Record<string, unknown>>();
  for (const name of settingNames) {
    if (values[name] !== undefined) source.given[name] = { value: values[name], from: flagOf(name) };
  }
  return source;
}

function problemOf(error: CommanderError): string {
  const flag = /'([^' <[]+)/.exec(error.message)?.[1] ?? '';
  if (error.code === 'commander.unknownOption') {
    return `${flag} is not a flag: ${didYouMean(flag, settingNames.map(flagOf))}`;
  }
  if (error.code === 'commander.optionMissingArgument') return `${flag} needs a value`;
  return error.message.replace(/^error: /, '');
}
