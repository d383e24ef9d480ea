import type { Logger } from 'pino';
import { destination, multistream, pino } from 'pino';

import type { Settings } from '../settings/index.ts';
import { messageOf, StartError } from '../start-error.ts';
import { prettyLine } from './pretty.ts';

export interface Log {
  logger: Logger;
  /** Null where there is none. */
  file: string | null;
  close(): void;
}

/** Everything goes to stderr, as people or as machines like it, and to a file as JSON lines. */
export function openLog(settings: Settings, defaultFile: string): Log {
  const file = settings.logFile === 'none' ? null : (settings.logFile ?? defaultFile);
  const stderr = {
    write: (line: string) => process.stderr.write(settings.logFormat === 'pretty' ? prettyLine(line) : line),
  };
  // Written at once: the lines before a crash are the ones that are wanted.
  const toFile = file === null ? null : openFile(file);
  const level = settings.logLevel === 'silent' ? 'fatal' : settings.logLevel;
  const streams = [stderr, ...(toFile === null ? [] : [toFile])].map((stream) => ({ stream, level }));
  return {
    logger: pino({ level: settings.logLevel }, multistream(streams)),
    file,
    close: () => toFile?.end(),
  };
}

function openFile(file: string) {
  try {
    return destination({ dest: file, append: true, mkdir: true, sync: true, mode: 0o640 });
  } catch (error) {
    throw new StartError(
      `the log file ${file} cannot be written (${messageOf(error)}): give another with --log-file`,
    );
  }
}
