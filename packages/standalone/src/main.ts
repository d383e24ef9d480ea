// The program behind `npm start`.

import { PostgresError } from '@jeroboam/sandbox';

import { helpText, readSettings, SettingsError } from './settings/index.ts';
import type { RunningService } from './start.ts';
import { startService } from './start.ts';
import { StartError } from './start-error.ts';
import { summary } from './summary.ts';
import { version } from './version.ts';

const complain = (sentence: string) => process.stderr.write(`jeroboam: ${sentence}\n`);

async function main(): Promise<void> {
  const { wanted, settings, warnings } = await readSettings(process.argv.slice(2), process.env);
  if (wanted !== 'settings') {
    process.stdout.write(wanted === 'help' ? helpText() : `${version()}\n`);
    return;
  }
  for (const warning of warnings) complain(warning);

  // A signal during the start is kept until there is something to stop.
  const stop = whenToldToStop();
  const service = await startService(settings);
  failLoudly(service);
  service.onFatal((reason) => {
    service.logger.fatal(reason);
    process.exitCode = 1;
    stop.now();
  });
  process.stdout.write(summary(service));
  await stop.told;
  await service.close();
  process.exit();
}

/**
 * The first signal asks for an orderly end, the second for one at once. The end of the channel to the launcher counts
 * as a signal: a launcher that was killed cannot send one.
 */
function whenToldToStop(): { told: Promise<void>; now: () => void } {
  let tell: () => void = () => {};
  const told = new Promise<void>((resolve) => (tell = resolve));
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      tell();
    });
  }
  if (process.channel) process.once('disconnect', () => tell());
  return { told, now: () => tell() };
}

/** Whatever nobody caught has left the service in a state that nobody knows: it is logged, and the process ends. */
function failLoudly(service: RunningService): void {
  const fail = (error: unknown) => {
    service.logger.fatal({ err: error }, 'unexpected failure, the service ends');
    process.exit(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}

try {
  await main();
} catch (error) {
  if (error instanceof SettingsError) {
    for (const problem of error.problems) complain(problem);
    process.exit(2);
  }
  if (error instanceof StartError || error instanceof PostgresError) {
    complain(error.message);
    process.exit(error instanceof StartError ? error.exitCode : 1);
  }
  throw error;
}
