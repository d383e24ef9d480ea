import { readFileSync } from 'node:fs';

const shown = 10;
const errorLevel = 50;

/** The first errors that the service logged: its answers only tell where to look, and the log is removed. */
export function errorsInLog(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0) >= errorLevel)
    .slice(0, shown)
    .map((line) => `log: ${line}`);
}
