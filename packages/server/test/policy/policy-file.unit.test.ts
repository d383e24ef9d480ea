import { describe, expect, test } from 'vitest';
import { PolicyError, compilePolicy } from '../../src/policy/index.ts';

const member = { roles: ['member', 'reader'], project_id: 'demo', user_id: 'u1' };
const target = { project_id: 'demo', user_id: 'u2' };

const policyOf = (text: string) => compilePolicy({ file: 'policy.yaml', text });

function refusalOf(text: string): PolicyError {
  try {
    policyOf(text);
  } catch (error) {
    if (error instanceof PolicyError) return error;
    throw error;
  }
  throw new Error('the file was accepted');
}

describe('a policy file', () => {
  test('changes the rules it names and leaves the others', () => {
    const policy = policyOf('# only ourselves\n"cluster:create": "role:kubernetes"\n');
    expect(policy.allows('cluster:create', member, target)).toBe(false);
    expect(policy.allows('cluster:create', { ...member, roles: ['Kubernetes'] }, target)).toBe(true);
    expect(policy.allows('cluster:delete', member, target)).toBe(true);
    expect(policy.rules().get('cluster:create')).toBe('role:kubernetes');
    expect(policy.warnings).toEqual([]);
  });

  test('changes every rule that stands on a helper it names', () => {
    const policy = policyOf('project_reader: "role:auditor"');
    const auditor = { ...member, roles: ['auditor'] };
    expect(policy.allows('cluster:get', auditor, target)).toBe(true);
    expect(policy.allows('quota:get', auditor, target)).toBe(true);
    expect(policy.allows('cluster:get', member, target)).toBe(false);
  });

  test('lets members of the project fetch certificates with one line', () => {
    const policy = policyOf('"certificate:get": "rule:admin_or_project_reader"');
    expect(compilePolicy().allows('certificate:get', member, target)).toBe(false);
    expect(policy.allows('certificate:get', member, target)).toBe(true);
  });

  test('may bring helpers of its own, before or after their use', () => {
    const policy = policyOf('"cluster:get": "rule:ours"\nours: "rule:theirs or @"\ntheirs: "!"\n');
    expect(policy.allows('cluster:get', member, target)).toBe(true);
    expect(policy.warnings).toEqual([]);
  });

  test('may be JSON, and may use the lists of old files and the anchors of YAML', () => {
    const json = policyOf('{"cluster:get": [["role:member", "project_id:%(project_id)s"], ["role:admin"]]}');
    expect(json.allows('cluster:get', member, target)).toBe(true);
    expect(json.allows('cluster:get', member, { project_id: 'other' })).toBe(false);
    expect(json.rules().get('cluster:get')).toBe('(role:member and project_id:%(project_id)s) or role:admin');
    const yaml = policyOf('"cluster:get": &nobody "!"\n"cluster:get_all": *nobody\n');
    expect(yaml.allows('cluster:get_all', member, target)).toBe(false);
  });

  test.for(['', '\n# nothing yet\n', '---\n', '{}'])('may be as empty as %j', (text) => {
    expect(policyOf(text).rules()).toEqual(compilePolicy().rules());
  });

  test('is warned about for a rule that nothing asks for, with the name that was meant', () => {
    expect(policyOf('"cluster:creat": "!"\n\n"weather:get": "@"').warnings).toEqual([
      'policy.yaml:1: nothing asks for rule "cluster:creat", so it has no effect. Did you mean "cluster:create"?',
      'policy.yaml:3: nothing asks for rule "weather:get", so it has no effect.',
    ]);
  });
});

describe('a policy file that is wrong', () => {
  test.for([
    ['a: "@"\n"cluster:get": "role:member and"', 2, 'rule "cluster:get": it ends where a check is expected'],
    [
      '"cluster:get": "rule:project_readr"',
      1,
      'refers to rule "project_readr", which does not exist (did you mean "project_reader"?)',
    ],
    ['\n"cluster:get": "rule:zzzzzz"', 2, 'refers to rule "zzzzzz", which does not exist'],
    ['a: "rule:a"', 1, 'rule "a": refers to itself: a → a'],
    [
      '\n\ncontext_is_admin: "rule:cluster:get"',
      3,
      'refers to itself: context_is_admin → cluster:get → admin_or_project_reader_deny_cluster_user → context_is_admin',
    ],
    ['"cluster:get":', 1, 'rule "cluster:get": must be a check string or a list of them'],
    ['"cluster:get": true', 1, 'rule "cluster:get": must be a check string'],
    ['"cluster:get": {a: b}', 1, 'rule "cluster:get": must be a check string'],
    ['"cluster:get": [[["role:a"]]]', 1, 'rule "cluster:get": must be a check string'],
    ['"cluster:get": [["role:a", 1]]', 1, 'rule "cluster:get": must be a check string'],
    ['- role:a', 1, 'the file must map names of rules to check strings'],
    ['just text', 1, 'the file must map names of rules to check strings'],
    ['1: "@"', 1, 'the name of a rule must be text'],
    ['a: "@"\nb: "@"\na: "!"', 3, 'Map keys must be unique'],
    ['a: "@"\n b: "@"', 2, ''],
    ['a: "unfinished', 1, 'Missing closing "quote'],
    ['"cluster:get": !', 1, 'rule "cluster:get": put quotes around what begins with "!"'],
    ['"cluster:get": [! ]', 1, 'put quotes around what begins with "!"'],
    ['"cluster:get": @', 1, 'reserved character @'],
    ['a: *nowhere', 1, 'no anchor is named "nowhere"'],
  ] as const)('%j is refused at line %i', ([text, line, reason]) => {
    const refusal = refusalOf(text);
    expect(refusal.line).toBe(line);
    expect(refusal.reason).toContain(reason);
    expect(refusal.message).toContain(`policy.yaml:${line}: `);
  });

  test('is told all its mistakes at once', () => {
    const refusal = refusalOf('"cluster:get": "role:"\nok: "@"\n"cluster:create": "("\n');
    expect(refusal.message).toBe(
      'policy.yaml:1: rule "cluster:get": "role:" names no role\n' +
        'policy.yaml:3: rule "cluster:create": it ends where a check is expected',
    );
    expect(refusal.problems).toHaveLength(2);
  });
});

test('a rule that does not exist is a mistake of the program', () => {
  expect(() => compilePolicy().allows('cluster:frobnicate', member, target)).toThrow(
    'No policy rule is named "cluster:frobnicate".',
  );
});

test('members of JavaScript objects are no credentials and no attributes', () => {
  const policy = policyOf(
    '"cluster:get": "constructor:%(toString)s or __proto__:%(__proto__)s or a.length:1"',
  );
  expect(policy.allows('cluster:get', { ...member, a: ['x'] }, target)).toBe(false);
});
