import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIFFERENCES } from './differences.ts';
import { account, isFailure } from './replay/account.ts';
import type { Entry } from './replay/account.ts';
import { loadScenarios } from './replay/fixture.ts';
import { DEFAULT_PACE } from './replay/pace.ts';
import { play } from './replay/play.ts';
import { Session } from './replay/session.ts';
import { emptyService } from './replay/stock.ts';
import { openTarget } from './replay/target.ts';
import type { OpenTarget } from './replay/target.ts';

const SCENARIO_LIMIT_MS = 180_000;

let target: OpenTarget;
const entries: Entry[] = [];

beforeAll(async () => {
  target = await openTarget();
});

afterAll(async () => {
  const report = process.env['CONFORMANCE_REPORT'];
  if (report) writeFileSync(report, JSON.stringify(entries, null, 1));
  await target?.close();
});

describe.each(loadScenarios())('$name: $description', (scenario) => {
  it(
    'is answered as Magnum answered, but for the listed differences',
    async () => {
      const session = new Session(target);
      await emptyService(session, DEFAULT_PACE);
      const played = await play(scenario, session);
      const found = account(scenario, played, DIFFERENCES);
      entries.push(...found);
      expect(found.filter(isFailure).map(describeEntry).join('\n')).toBe('');
    },
    SCENARIO_LIMIT_MS,
  );
});

function describeEntry({ index, title, result, difference, notes }: Entry): string {
  const listed = difference ? ` (${difference})` : '';
  return [`[${result}]${listed} #${index} ${title}`, ...notes.slice(0, 8).map((note) => `    ${note}`)].join(
    '\n',
  );
}
