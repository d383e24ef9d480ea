import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { lineBuffer } from '../src/logging/line-buffer.ts';

const line = (level: number, message: string) => `{"level":${level},"msg":"${message}"}\n`;

let directory: string;
let descriptor: number;
const written = () => readFileSync(path.join(directory, 'log'), 'utf8');

beforeEach(() => {
  vi.useFakeTimers();
  directory = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-log-'));
  descriptor = openSync(path.join(directory, 'log'), 'a');
});
afterEach(() => {
  vi.useRealTimers();
  closeSync(descriptor);
  rmSync(directory, { recursive: true });
});

describe('log lines', () => {
  test('are gathered for a moment and then written in order', () => {
    const buffer = lineBuffer(descriptor);
    buffer.write(line(30, 'one'));
    buffer.write(line(30, 'two'));
    expect(written()).toBe('');
    vi.advanceTimersByTime(100);
    expect(written()).toBe(line(30, 'one') + line(30, 'two'));
  });

  test('are written at once with everything before them when one is a warning or worse', () => {
    const buffer = lineBuffer(descriptor);
    buffer.write(line(30, 'one'));
    buffer.write(line(40, 'two'));
    expect(written()).toBe(line(30, 'one') + line(40, 'two'));
  });

  test('do not gather without bound', () => {
    const buffer = lineBuffer(descriptor);
    buffer.write(line(30, 'x'.repeat(20_000)));
    expect(written()).toHaveLength(line(30, 'x'.repeat(20_000)).length);
  });

  test('are shaped for their reader', () => {
    const buffer = lineBuffer(descriptor, (text) => text.toUpperCase());
    buffer.write(line(30, 'one'));
    buffer.flush();
    expect(written()).toBe(line(30, 'one').toUpperCase());
  });

  test('to a reader that has gone are dropped, and the service goes on', () => {
    const gone = openSync(path.join(directory, 'log'), 'r');
    try {
      const buffer = lineBuffer(gone);
      buffer.write(line(50, 'one'));
      expect(() => buffer.flush()).not.toThrow();
      expect(written()).toBe('');
    } finally {
      closeSync(gone);
    }
  });
});
