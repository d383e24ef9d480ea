import { parseArgs } from 'node:util';
import { scenarioNames, type ScenarioName } from './scenarios.ts';

export interface Options {
  /** Numbers of clusters, in the order in which they are filled. */
  sizes: number[];
  connections: number[];
  scenarios: ScenarioName[];
  /** How long each figure is measured, after so many seconds of warm-up. */
  seconds: number;
  warmUpSeconds: number;
  /** Where the database and the logs lie while the benchmark runs. */
  directory: string | null;
  compare: string | null;
  profile: string | null;
}

export class UsageError extends Error {}

export const usage = `usage: npm run bench -- [options]

  --quick              1 s for each figure instead of 5 s
  --seconds N          so many seconds for each figure
  --warm-up N          seconds of warm-up before each figure (default: 2, quick: 0.5)
  --sizes N,N          numbers of clusters, multiples of 10, for all scenarios 1000 or more
                       (default: 1000,10000,100000)
  --connections N,N    connections of the load generator (default: 1,16)
  --only NAME,NAME     only these of ${scenarioNames.join(', ')}
  --directory DIR      where the database lies meanwhile (default: a new temporary directory)
  --compare FILE       show ratios to an earlier result
  --profile DIR        take a CPU profile of the API for each scenario; its figures are not for comparison
  --help               this text
`;

const flags = {
  quick: { type: 'boolean' },
  seconds: { type: 'string' },
  'warm-up': { type: 'string' },
  sizes: { type: 'string' },
  connections: { type: 'string' },
  only: { type: 'string' },
  directory: { type: 'string' },
  compare: { type: 'string' },
  profile: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** Null: the usage is wanted. */
export function parseOptions(args: string[]): Options | null {
  const values = read(args);
  if (values.help === true) return null;
  const quick = values.quick === true;
  return {
    sizes: numbers('--sizes', values.sizes ?? '1000,10000,100000', 10).toSorted((a, b) => a - b),
    connections: numbers('--connections', values.connections ?? '1,16', 1),
    scenarios: scenariosOf(values.only),
    seconds: positive('--seconds', values.seconds ?? (quick ? '1' : '5')),
    warmUpSeconds: positive('--warm-up', values['warm-up'] ?? (quick ? '0.5' : '2')),
    directory: values.directory ?? null,
    compare: values.compare ?? null,
    profile: values.profile ?? null,
  };
}

function read(args: string[]) {
  try {
    return parseArgs({ args, options: flags, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${flag} takes a number above zero, not "${text}"`);
}

function numbers(flag: string, text: string, unit: number): number[] {
  return text.split(',').map((part) => {
    const value = positive(flag, part);
    if (value % unit === 0) return value;
    throw new UsageError(
      `${flag} takes ${unit === 1 ? 'whole numbers' : `multiples of ${unit}`}, not "${part}"`,
    );
  });
}

function scenariosOf(text: string | undefined): ScenarioName[] {
  if (text === undefined) return [...scenarioNames];
  return text.split(',').map((word) => {
    const found = scenarioNames.find((name) => name === word);
    if (found !== undefined) return found;
    throw new UsageError(`--only knows ${scenarioNames.join(', ')}, not "${word}"`);
  });
}
