import { describe, expect, test } from 'vitest';
import { createKeyedRunner } from '../../src/conductor/keyed-runner.ts';
import { until } from '../support/until.ts';

/** A runner whose runs wait until they are let go. */
function scene(parallel = 2) {
  const began: string[] = [];
  const gates: { key: string; go: (next: number | null) => void; fail: (error: Error) => void }[] = [];
  const errors: string[] = [];
  const runner = createKeyedRunner({
    parallel,
    run: (key) => {
      began.push(key);
      return new Promise<number | null>((resolve, reject) => {
        gates.push({ key, go: resolve, fail: reject });
      });
    },
    onError: (key) => void errors.push(key),
  });
  /** Lets the oldest run that waits for a key end. */
  const letGo = async (key: string, next: number | null = null): Promise<void> => {
    const [gate] = gates.splice(
      gates.findIndex((each) => each.key === key),
      1,
    );
    gate?.go(next);
    await Promise.resolve();
  };
  return { runner, began, gates, errors, letGo };
}

describe('a runner of keys', () => {
  test('runs keys side by side, up to its limit, and no key twice at once', async () => {
    const { runner, began, letGo } = scene();
    for (const key of ['a', 'b', 'c', 'a']) runner.wake(key);
    expect(began).toEqual(['a', 'b']);
    await letGo('b');
    await until(
      () => began,
      (keys) => keys.length === 3,
    );
    expect(began).toEqual(['a', 'b', 'c']);
    await letGo('a');
    await until(
      () => began,
      (keys) => keys.length === 4,
    );
    expect(began[3]).toBe('a');
  });

  test('comes back when a run asks for it, and tries again what failed', async () => {
    const { runner, began, gates, errors, letGo } = scene();
    runner.wake('a');
    await letGo('a', 1);
    await until(
      () => began.length,
      (count) => count === 2,
    );
    gates.shift()?.fail(new Error('no'));
    await until(
      () => began.length,
      (count) => count === 3,
    );
    expect(errors).toEqual(['a']);
  });

  test('of many times to wake a key the earliest counts, once', async () => {
    const { runner, began } = scene();
    runner.wakeLater('a', 60_000);
    for (let told = 0; told < 50; told += 1) runner.wakeLater('a', 1);
    await until(
      () => began.length,
      (count) => count === 1,
    );
    expect(began).toEqual(['a']);
  });

  test('does not wait for what runs of a key it was told to forget', async () => {
    const { runner, began, letGo } = scene(1);
    runner.wake('a');
    runner.forget('a');
    runner.wake('a');
    expect(began).toEqual(['a', 'a']);
    await letGo('a', 1);
    runner.wake('a');
    await letGo('a');
    await until(
      () => began.length,
      (count) => count === 3,
    );
    expect(began).toHaveLength(3);
  });

  test('waits for what runs when it ends, and starts nothing more', async () => {
    const { runner, began, letGo } = scene();
    runner.wake('a');
    let ended = false;
    const end = runner.stop().then(() => (ended = true));
    runner.wake('b');
    await Promise.resolve();
    expect(ended).toBe(false);
    await letGo('a', 1);
    expect(await end).toBe(true);
    expect(began).toEqual(['a']);
  });
});
