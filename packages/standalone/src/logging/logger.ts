import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

import type { Logger } from 'pino';
import { multistream, pino } from 'pino';

import type { Settings } from '../settings/index.ts';
import { messageOf, StartError } from '../start-error.ts';
import { lineBuffer } from './line-buffer.ts';
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
  const stderr = lineBuffer(process.stderr.fd, settings.logFormat === 'pretty' ? prettyLine : undefined);
  const descriptor = file === null ? null : openFile(file);
  const buffers = [stderr, ...(descriptor === null ? [] : [lineBuffer(descriptor)])];
  const flush = () => {
    for (const buffer of buffers) buffer.flush();
  };
  // However the process ends, short of being killed: the lines before a crash are the ones that are wanted.
  process.on('exit', flush);
  const level = settings.logLevel === 'silent' ? 'fatal' : settings.logLevel;
  return {
    logger: pino(
      { level: settings.logLevel },
      buffers.length === 1 ? stderr : multistream(buffers.map((stream) => ({ stream, level }))),
    ),
    file,
    close() {
      flush();
      process.off('exit', flush);
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}

function openFile(file: string): number {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    return openSync(file, 'a', 0o640);
  } catch (error) {
    throw new StartError(
      `the log file ${file} cannot be written (${messageOf(error)}): give another with --log-file`,
    );
  }
}
