import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxMinor, minMinor, parseMicroversion } from '@jeroboam/domain';
import { anyText } from './support/arbitraries.ts';

const service = 'container-infrastructure-management';
const range = `The supported version range is: [${service} 1.1, ${service} 1.14].`;
const minors = Array.from({ length: 14 }, (_, index) => index + 1);

describe('the version a request asks for', () => {
  test('is the first where the header is missing', () => {
    expect(parseMicroversion(undefined)).toStrictEqual({ ok: true, minor: 1 });
  });

  test.each(minors)('is 1.%i under each of the three names of the service', (minor) => {
    for (const word of ['container-infra', 'container-infrastructure', service]) {
      expect(parseMicroversion(`${word} 1.${minor}`)).toStrictEqual({ ok: true, minor });
    }
  });

  test.each(['latest', 'LATEST', 'Latest'])(
    'is the last for "%s", whatever the service is called',
    (word) => {
      expect(parseMicroversion(`container-infra ${word}`)).toStrictEqual({ ok: true, minor: 14 });
      expect(parseMicroversion(`foo ${word}`)).toStrictEqual({ ok: true, minor: 14 });
    },
  );

  test('does not depend on how the words are spaced', () => {
    expect(parseMicroversion('  container-infra  \t 1.9 ')).toStrictEqual({ ok: true, minor: 9 });
  });
});

describe('a header that makes no sense', () => {
  test.each([
    '',
    ' ',
    'container-infra',
    '1.9',
    'latest',
    'compute 1.9',
    'Container-Infra 1.9',
    'container-infra 1.1, compute 2.1',
    'a b c',
    'compute x',
    '__proto__ 1.1',
  ])('has the wrong service: %j', (header) => {
    expect(parseMicroversion(header)).toStrictEqual({
      ok: false,
      problem: 'malformed',
      detail: 'Invalid service type for OpenStack-API-Version header',
    });
  });

  test.each(['1', 'abc', '1.a', '1.1.1', '1.', '.1', '1,1', '1.1x', '1.١', '0x1.1', '1e0.1'])(
    'has the wrong version: %j',
    (version) => {
      expect(parseMicroversion(`container-infra ${version}`)).toStrictEqual({
        ok: false,
        problem: 'malformed',
        detail: 'Invalid value for OpenStack-API-Version header',
      });
    },
  );
});

describe('a version that is not served is repeated, with the range that is', () => {
  test.each(['1.0', '1.15', '1.99', '1.-1', '1.99999999999999999999999'])('%s', (requested) => {
    expect(parseMicroversion(`container-infra ${requested}`)).toStrictEqual({
      ok: false,
      problem: 'unsupported',
      requested,
      detail: `Version ${requested} was requested but the minor version is not supported by this service. ${range}`,
    });
  });

  test.each(['2.0', '2.1', '0.9', '-1.1'])('%s', (requested) => {
    expect(parseMicroversion(`container-infra ${requested}`)).toStrictEqual({
      ok: false,
      problem: 'unsupported',
      requested,
      detail: `Mutually exclusive versions requested. Version ${requested} requested but not supported by this service.${range}`,
    });
  });
});

test('any header gives an answer: a version that is served, or why not', () => {
  const likely = fc.tuple(fc.constantFrom('container-infra', 'compute', ''), fc.integer(), fc.integer());
  const header = fc.oneof(
    anyText,
    likely.map(([word, major, minor]) => `${word} ${major}.${minor}`),
  );
  fc.assert(
    fc.property(header, (text) => {
      const result = parseMicroversion(text);
      const served = result.ok && Number.isInteger(result.minor) && result.minor >= minMinor;
      const explained = !result.ok && result.detail !== '';
      expect(explained || (served && result.minor <= maxMinor)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
