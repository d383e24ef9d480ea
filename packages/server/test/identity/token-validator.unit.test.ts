import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { IdentityUnavailable, createTokenValidator } from '../../src/identity/index.ts';
import type { TokenValidator, TokenValidatorOptions } from '../../src/identity/index.ts';
import { compilePolicy, policyCredentials } from '../../src/policy/index.ts';
import { FakeKeystone } from './support/fake-keystone.ts';

const service = {
  authUrl: 'http://keystone.test/v3',
  username: 'magnum',
  password: 'right',
  userDomainName: 'Default',
  projectName: 'service',
  projectDomainName: 'Default',
};

let now = 0;
let keystone: FakeKeystone;

function validatorWith(options: Partial<TokenValidatorOptions> = {}): TokenValidator {
  return createTokenValidator({ keystone: service, http: keystone.http, now: () => now, ...options });
}

beforeEach(() => {
  now = Date.parse('2026-11-15T18:00:00Z');
  keystone = new FakeKeystone(() => now);
});

describe('a token that Keystone knows', () => {
  test('tells who the caller is', async () => {
    keystone.give('good');
    expect({ ...(await validatorWith().validate('good')) }).toEqual({
      token: 'good',
      userId: 'u1',
      userName: 'demo',
      userDomainId: 'default',
      projectId: 'p1',
      projectName: 'demo',
      projectDomainId: 'default',
      domainId: null,
      systemScope: false,
      roles: ['member', 'reader'],
      isAdmin: false,
      expiresAt: now + 3_600_000,
      catalog: [
        {
          type: 'compute',
          name: 'nova',
          endpoints: [{ interface: 'public', region: 'RegionOne', url: 'http://compute.test/v2.1' }],
        },
      ],
    });
  });

  test('may be scoped to the system, and then has no project', async () => {
    keystone.give('system', { project: undefined, system: true });
    expect(await validatorWith().validate('system')).toMatchObject({ projectId: null, systemScope: true });
  });

  test('is asked about once for many requests', async () => {
    keystone.give('good');
    const validator = validatorWith();
    const first = await validator.validate('good');
    now += 59_999;
    expect(await validator.validate('good')).toBe(first);
    expect(keystone.count('validate')).toBe(1);
    expect(keystone.count('authenticate')).toBe(1);
  });

  test('is asked about once when a hundred requests bring it at the same moment', async () => {
    keystone.give('good');
    const validator = validatorWith();
    const callers = await Promise.all(Array.from({ length: 100 }, () => validator.validate('good')));
    expect(new Set(callers).size).toBe(1);
    expect(keystone.questions).toHaveLength(2);
  });

  test('is honoured to its last millisecond and not beyond, without asking again', async () => {
    keystone.give('short', { expiresAt: now + 1_500 });
    const validator = validatorWith();
    await validator.validate('short');
    now += 1_499;
    expect(await validator.validate('short')).not.toBeNull();
    now += 1;
    expect(await validator.validate('short')).toBeNull();
    expect(keystone.count('validate')).toBe(1);
  });

  test('is refused within the window once it is revoked', async () => {
    keystone.give('good');
    const validator = validatorWith({ cacheSeconds: 10 });
    await validator.validate('good');
    keystone.tokens.delete('good');
    now += 9_999;
    expect(await validator.validate('good')).not.toBeNull();
    now += 1;
    expect(await validator.validate('good')).toBeNull();
  });

  test('is refused at once when it is revoked and no window is given', async () => {
    keystone.give('good');
    const validator = validatorWith({ cacheSeconds: 0 });
    await validator.validate('good');
    keystone.tokens.delete('good');
    expect(await validator.validate('good')).toBeNull();
  });

  test('is asked about again after it was told to be forgotten, even while an answer is on its way', async () => {
    keystone.give('good');
    const validator = validatorWith();
    await validator.validate('good');
    validator.forget('good');
    keystone.hold();
    const late = validator.validate('good');
    await expect.poll(() => keystone.count('validate')).toBe(2);
    keystone.tokens.delete('good');
    validator.forget('good');
    keystone.release?.();
    expect(await late).not.toBeNull();
    expect(await validator.validate('good')).toBeNull();
  });

  test('has its window counted from the question, not from the answer', async () => {
    keystone.give('good');
    const validator = validatorWith({ cacheSeconds: 10 });
    keystone.hold();
    const slow = validator.validate('good');
    await expect.poll(() => keystone.count('validate')).toBe(1);
    keystone.tokens.delete('good');
    now += 9_000;
    keystone.release?.();
    await slow;
    now += 1_000;
    expect(await validator.validate('good')).toBeNull();
  });

  test('makes an admin of the caller when the policy says so', async () => {
    keystone.give('root', { roles: ['admin'] });
    keystone.give('good');
    const policy = compilePolicy();
    const validator = validatorWith({
      isAdmin: (caller) => policy.allows('context_is_admin', policyCredentials(caller), {}),
    });
    expect(await validator.validate('root')).toMatchObject({ isAdmin: true });
    expect(await validator.validate('good')).toMatchObject({ isAdmin: false });
  });
});

describe('a token that Keystone does not know', () => {
  test('is nobody, and is not asked about again for a moment', async () => {
    const validator = validatorWith();
    expect(await validator.validate('forged')).toBeNull();
    now += 4_999;
    expect(await validator.validate('forged')).toBeNull();
    expect(keystone.count('validate')).toBe(1);
    keystone.give('forged');
    now += 1;
    expect(await validator.validate('forged')).not.toBeNull();
  });

  test.for([
    ['nothing', ''],
    ['a space', ' '],
    ['two words', 'with space'],
    ['two lines', 'line\nbreak'],
    ['another script', 'naïve'],
    ['a NUL', '\0'],
    ['a book', 'x'.repeat(8_193)],
  ] as const)('is nobody without a question when it cannot be a token: %s', async ([, token]) => {
    expect(await validatorWith().validate(token)).toBeNull();
    expect(keystone.questions).toEqual([]);
  });

  test('does not push real callers out, however many there are', async () => {
    keystone.give('good');
    const validator = validatorWith({ cacheSize: 2 });
    await validator.validate('good');
    for (let index = 0; index < 50; index += 1) await validator.validate(`forged-${index}`);
    const before = keystone.count('validate');
    expect(await validator.validate('good')).not.toBeNull();
    expect(keystone.count('validate')).toBe(before);
  });
});

test('no more callers are remembered than allowed, and those used last stay', async () => {
  for (const name of ['a', 'b', 'c']) keystone.give(name);
  const validator = validatorWith({ cacheSize: 2 });
  for (const name of ['a', 'b', 'a', 'c']) await validator.validate(name);
  expect(keystone.count('validate')).toBe(3);
  await validator.validate('a');
  expect(keystone.count('validate')).toBe(3);
  await validator.validate('b');
  expect(keystone.count('validate')).toBe(4);
});

test('equal catalogues are held once', async () => {
  keystone.give('a');
  keystone.give('b');
  const validator = validatorWith();
  const [a, b] = [await validator.validate('a'), await validator.validate('b')];
  expect(a?.catalog).toBe(b?.catalog);
});

describe('while Keystone is away', () => {
  test('callers that are remembered are served, others get a clear error', async () => {
    keystone.give('good');
    keystone.give('new');
    const validator = validatorWith();
    await validator.validate('good');
    keystone.trouble = 'unreachable';
    expect(await validator.validate('good')).not.toBeNull();
    await expect(validator.validate('new')).rejects.toThrow(IdentityUnavailable);
    await expect(validator.validate('new')).rejects.toThrow(
      'Tokens cannot be checked at the moment: The identity service at http://keystone.test cannot be reached: ECONNREFUSED.',
    );
    now += 60_000;
    await expect(validator.validate('good')).rejects.toThrow(IdentityUnavailable);
  });

  test('nothing is remembered about a token, so that it works as soon as Keystone does', async () => {
    keystone.give('good');
    const validator = validatorWith();
    keystone.trouble = 500;
    await expect(validator.validate('good')).rejects.toThrow(IdentityUnavailable);
    keystone.trouble = null;
    expect(await validator.validate('good')).not.toBeNull();
  });
});

describe("the service's own user", () => {
  test('authenticates when first needed and again before its token ends', async () => {
    const validator = validatorWith();
    expect(keystone.questions).toEqual([]);
    await validator.validate('one');
    now += 3_600_000;
    await validator.validate('two');
    expect(keystone.count('authenticate')).toBe(2);
  });

  test('authenticates again when its token is refused, unseen by the caller', async () => {
    keystone.give('good');
    const validator = validatorWith();
    await validator.validate('other');
    keystone.forgetServiceTokens();
    expect(await validator.validate('good')).not.toBeNull();
    expect(keystone.count('authenticate')).toBe(2);
  });

  test('says so when its password is wrong, without giving it away or trying it on every request', async () => {
    keystone.password = 'changed';
    const validator = validatorWith();
    const failure = validator.validate('any');
    await expect(failure).rejects.toThrow(
      'Keystone refuses the service\'s own user "magnum" in project "service"; check its name, password and project.',
    );
    await expect(failure).rejects.not.toThrow(/right/);
    await expect(validator.validate('another')).rejects.toThrow(IdentityUnavailable);
    expect(keystone.count('authenticate')).toBe(1);
    now += 5_000;
    keystone.password = 'right';
    expect(await validator.validate('any')).toBeNull();
  });

  test('says so when it may not look at tokens', async () => {
    const validator = validatorWith();
    await validator.validate('warm');
    keystone.trouble = 403;
    await expect(validator.validate('any')).rejects.toThrow(/does not let the service's own user "magnum"/);
  });
});

test('a caller in a log line shows neither the token nor the catalogue', async () => {
  keystone.give('very-secret');
  const caller = await validatorWith().validate('very-secret');
  expect(JSON.parse(JSON.stringify({ caller }))).toEqual({
    caller: { userId: 'u1', userName: 'demo', projectId: 'p1', roles: ['member', 'reader'], isAdmin: false },
  });
  expect(inspect({ caller }, { depth: 5 })).not.toContain('very-secret');
});

test('closing waits for what is on its way', async () => {
  keystone.give('good');
  const validator = validatorWith();
  keystone.hold();
  const answer = validator.validate('good');
  await expect.poll(() => keystone.count('validate')).toBe(1);
  const closing = validator.close();
  keystone.release?.();
  await closing;
  expect(await answer).not.toBeNull();
});
