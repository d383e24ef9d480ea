import { writeSync } from 'node:fs';

const flushAfterMs = 100;
const flushFromBytes = 16 * 1024;
/** A line begins with `{"level":NN`; from here on (warn) it is worth a write of its own. */
const firstDigit = '{"level":'.length;
const urgentFrom = '4'.charCodeAt(0);

export interface LineBuffer {
  write(line: string): void;
  flush(): void;
}

/**
 * Gathers the lines of a moment into one write: a request should not pay for a system call to be told of. What is at least
 * a warning is written at once, and with it all that came before; the rest is at most a tenth of a second late.
 */
export function lineBuffer(descriptor: number, shape: (line: string) => string = (line) => line): LineBuffer {
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const text = gathered;
    gathered = '';
    if (text !== '') writeWhole(descriptor, text);
  }

  return {
    flush,
    write(line) {
      gathered += shape(line);
      const urgent = line.charCodeAt(firstDigit) >= urgentFrom;
      if (urgent || gathered.length >= flushFromBytes) flush();
      else timer ??= setTimeout(flush, flushAfterMs).unref();
    },
  };
}

/** A pipe whose reader is slow takes a part only, and a reader that has gone takes nothing: neither may end the service. */
function writeWhole(descriptor: number, text: string): void {
  let bytes = Buffer.from(text);
  for (let attempt = 0; bytes.length > 0 && attempt < 100; attempt += 1) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
