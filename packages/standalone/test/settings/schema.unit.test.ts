import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { helpText } from '../../src/settings/help.ts';
import { Mismatch } from '../../src/settings/kinds.ts';
import { nearest } from '../../src/settings/nearest.ts';
import { duration, size } from '../../src/settings/quantities.ts';
import { schema, settingNames } from '../../src/settings/schema.ts';
import type { Setting } from '../../src/settings/setting.ts';
import { flagOf, keyOf, variableOf } from '../../src/settings/setting.ts';

describe('the schema', () => {
  test('gives every setting one flag, one variable and one key, all different', () => {
    for (const spelling of [flagOf, variableOf, keyOf]) {
      expect(new Set(settingNames.map(spelling)).size).toBe(settingNames.length);
    }
    expect([flagOf('x509AllowCa'), variableOf('x509AllowCa'), keyOf('x509AllowCa')]).toEqual([
      '--x509-allow-ca',
      'JEROBOAM_X509_ALLOW_CA',
      'x509_allow_ca',
    ]);
  });

  test.each(settingNames)('reads the default of %s as it is shown in the help', (name) => {
    const setting: Setting<unknown> = schema[name];
    const shown = setting.default === undefined ? undefined : setting.kind.show(setting.default);
    expect(shown === undefined ? undefined : setting.kind.parse(shown)).toEqual(setting.default);
  });
});

test.each(settingNames)('the help names %s with its flag and its variable', (name) => {
  expect(helpText()).toContain(`\n  ${flagOf(name)} `);
  expect(helpText()).toContain(variableOf(name));
});

describe('quantities', () => {
  test.each([duration, size])('are read back as they were shown', (quantity) => {
    const kind = quantity({ least: 0, most: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (amount) => {
        expect(kind.parse(kind.show(amount))).toBe(amount);
      }),
    );
  });

  test('of any text are either in range or refused', () => {
    const kind = duration({ least: 10, most: 1000 });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,6}(\.\d{1,3})?(ms|s|m|h)?$/)), (text) => {
        const outcome = parsedOrRefused(() => kind.parse(text));
        expect(outcome === 'refused' || (outcome >= 10 && outcome <= 1000)).toBe(true);
      }),
    );
  });
});

describe('the nearest name', () => {
  test('is the one that was mistyped', () => {
    fc.assert(
      fc.property(fc.constantFrom(...settingNames), fc.nat(), (name, place) => {
        const key = keyOf(name);
        const at = place % key.length;
        const doubled = key.slice(0, at) + key.charAt(at) + key.slice(at);
        expect(nearest(doubled, settingNames.map(keyOf))).toBe(key);
      }),
    );
  });

  test('is none where nothing is near', () => {
    expect(nearest('frobnicate', settingNames.map(keyOf))).toBeUndefined();
  });
});

function parsedOrRefused(parse: () => number): number | 'refused' {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Mismatch) return 'refused';
    throw error;
  }
}
