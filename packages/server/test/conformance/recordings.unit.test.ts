import { describe, expect, it } from 'vitest';
import { DIFFERENCES } from './differences.ts';
import { account, findExpected } from './replay/account.ts';
import { loadScenarios } from './replay/fixture.ts';
import { DEFAULT_PACE } from './replay/pace.ts';
import { play } from './replay/play.ts';
import { RECORDED_TARGET, recordedMagnum } from './replay/recorded-magnum.ts';
import { Session } from './replay/session.ts';

const scenarios = loadScenarios();
const comparedSteps = scenarios.flatMap((scenario) =>
  scenario.steps.flatMap((step) =>
    step.normalised ? [{ scenario: scenario.name, title: step.title, status: step.normalised.status }] : [],
  ),
);

describe.each(scenarios)('the recording $name', (scenario) => {
  it('agrees with itself in every step when it is replayed, so that each listed difference is stale', async () => {
    const session = new Session(RECORDED_TARGET, recordedMagnum(scenario));
    const entries = account(scenario, await play(scenario, session, DEFAULT_PACE), DIFFERENCES);

    const expected = scenario.steps.filter((step) => step.normalised).map((step) => step.title);
    expect(entries.map((entry) => entry.title)).toEqual(expected);
    const disagreeing = entries.filter(
      ({ title, result }) => result !== (findExpected(DIFFERENCES, scenario.name, title) ? 'stale' : 'ok'),
    );
    expect(disagreeing).toEqual([]);
  });
});

describe('the list of differences', () => {
  it('holds every step at which Magnum failed or hung up', () => {
    const broken = comparedSteps.filter(({ status }) => status === 0 || status >= 500);
    const unlisted = broken.filter(({ scenario, title }) => !findExpected(DIFFERENCES, scenario, title));
    expect(broken.length).toBeGreaterThan(0);
    expect(unlisted).toEqual([]);
  });

  it('never expects a failure of the service in place of Magnum’s answer', () => {
    const statuses = DIFFERENCES.flatMap(({ steps }) => steps.map(({ expect: { status } }) => status));
    expect(statuses.filter((status) => status < 200 || status >= 500)).toEqual([]);
  });

  it('names each step exactly as one compared step of the recordings is named', () => {
    const listed = DIFFERENCES.flatMap(({ steps }) =>
      steps.flatMap(({ scenario, titles }) => titles.map((title) => ({ scenario, title }))),
    );
    const ambiguous = listed.filter(
      (step) =>
        comparedSteps.filter((s) => s.scenario === step.scenario && s.title === step.title).length !== 1,
    );
    expect(ambiguous).toEqual([]);
    expect(new Set(listed.map(({ scenario, title }) => `${scenario} ${title}`)).size).toBe(listed.length);
  });

  it('has ids that can be anchors in the documentation', () => {
    const ids = DIFFERENCES.map(({ id }) => id);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
