import { expect, test } from 'vitest';

import { generateRsaKeyPair, inTurn } from '../../src/certificates/key-generation.ts';

test('a burst of work is begun in order and never more than the limit at once', async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const work = inTurn(2, async (input: number) => {
    begun.push(input);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return input * 10;
  });
  const inputs = Array.from({ length: 20 }, (_, index) => index);
  expect(await Promise.all(inputs.map(work))).toEqual(inputs.map((input) => input * 10));
  expect(begun).toEqual(inputs);
  expect(most).toBe(2);
});

test('work that fails hands its place on', async () => {
  const work = inTurn(1, (fails: boolean) =>
    fails ? Promise.reject(new Error('no')) : Promise.resolve('done'),
  );
  const outcomes = await Promise.allSettled([work(true), work(true), work(false)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await work(false)).toBe('done');
});

test('a key has the size asked for and the usual exponent', async () => {
  const { publicKey } = await generateRsaKeyPair(1024);
  expect(publicKey.asymmetricKeyDetails).toEqual({ modulusLength: 1024, publicExponent: 65537n });
});
