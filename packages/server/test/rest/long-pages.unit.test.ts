import { describe, expect, test } from 'vitest';
import { createPageMaker } from '../../src/rest/long-pages.ts';

/** A page that is made when it is told to, and how many were made at once. */
function pages() {
  const made: (() => void)[] = [];
  let now = 0;
  let most = 0;
  const page = (rows: number) => async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise<void>((resolve) => made.push(resolve));
    now -= 1;
    return { rows, answer: rows };
  };
  /** Lets every page finish that was begun, until none is left. */
  async function finish(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      const begun = made.splice(0);
      if (begun.length > 0) quiet = 0;
      for (const resolve of begun) resolve();
    }
  }
  return { page, finish, most: () => most };
}

describe('pages of a list', () => {
  test('are made one after the other once the list is known to be long', async () => {
    const maker = createPageMaker();
    const first = pages();
    const learned = maker.make('mine', 1000, first.page(1000));
    await first.finish();
    await learned;
    const later = pages();
    const all = Promise.all([1, 2, 3].map(() => maker.make('mine', 1000, later.page(1000))));
    await later.finish();
    expect(await all).toEqual([1000, 1000, 1000]);
    expect(later.most()).toBe(1);
  });

  test('are made side by side for who has few rows, while a long list is made for another', async () => {
    const maker = createPageMaker();
    const { page, finish, most } = pages();
    const long = maker.make('theirs', 1000, page(1000));
    await finish();
    await long;
    const all = Promise.all([
      maker.make('theirs', 1000, page(1000)),
      maker.make('mine', 1000, page(2)),
      maker.make('mine', 1000, page(2)),
    ]);
    await finish();
    await all;
    expect(most()).toBe(3);
  });

  test('never wait when the request asks for short pages', async () => {
    const maker = createPageMaker();
    const { page, finish, most } = pages();
    const long = maker.make('mine', 1000, page(1000));
    await finish();
    await long;
    const all = Promise.all([maker.make('mine', 1000, page(1000)), maker.make('mine', 20, page(20))]);
    await finish();
    await all;
    expect(most()).toBe(2);
  });

  test('are refused with 503 and a way out when their turn does not come in time', async () => {
    const maker = createPageMaker({ patienceMs: 1 });
    const { page, finish } = pages();
    const first = maker.make('mine', 1000, page(1000));
    await finish();
    await first;
    const held = maker.make('mine', 1000, page(1000));
    await expect(maker.make('mine', 1000, page(1000))).rejects.toMatchObject({ status: 503, field: 'limit' });
    await finish();
    await held;
  });

  test('go on after one that failed', async () => {
    const maker = createPageMaker();
    const { page, finish } = pages();
    const first = maker.make('mine', 1000, page(1000));
    await finish();
    await first;
    await expect(maker.make('mine', 1000, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    const next = maker.make('mine', 1000, page(7));
    await finish();
    expect(await next).toBe(7);
  });
});
