import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compilePolicy } from '../../src/policy/index.ts';
import type { PolicyCredentials, PolicyTarget } from '../../src/policy/index.ts';

interface Recorded {
  readonly credentials: readonly PolicyCredentials[];
  readonly targets: readonly PolicyTarget[];
  /** A check, and "y" or "n" for each pair of credentials and target. */
  readonly decisions: readonly (readonly [check: string | readonly (string | string[])[], answers: string])[];
}

const file = new URL('fixtures/oslo-decisions.json', import.meta.url);
const recorded: Recorded = JSON.parse(readFileSync(file, 'utf8'));

describe('the decisions that oslo.policy 6.0.1 took', () => {
  const names = recorded.decisions.map((_, index) => `recorded_${index}`);
  const text = recorded.decisions.map(([check], index) => `recorded_${index}: ${JSON.stringify(check)}`);
  const policy = compilePolicy({ file: 'recorded.yaml', text: text.join('\n') });

  test('are taken here as well, for every check, caller and target', () => {
    const ours = names.map((name, index) => {
      const pairs = recorded.credentials.flatMap((who) =>
        recorded.targets.map((what) => [who, what] as const),
      );
      const answers = pairs.map(([who, what]) => (policy.allows(name, who, what) ? 'y' : 'n'));
      return [recorded.decisions[index]?.[0], answers.join('')];
    });
    expect(ours).toEqual(recorded.decisions);
  });

  test('are many, and of both kinds', () => {
    const answers = recorded.decisions.map(([, answer]) => answer).join('');
    expect(answers.split('y').length).toBeGreaterThan(500);
    expect(answers.split('n').length).toBeGreaterThan(500);
  });
});
