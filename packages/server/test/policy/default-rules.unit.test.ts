import { describe, expect, test } from 'vitest';
import { DEFAULT_RULES, compilePolicy } from '../../src/policy/index.ts';
import type { PolicyCredentials } from '../../src/policy/index.ts';

const policy = compilePolicy();
const target = { project_id: 'demo', user_id: 'creator' };

function who(roles: string[], project_id: string, user_id = 'somebody'): PolicyCredentials {
  return { roles, project_id, user_id };
}

/** Keystone adds the implied roles: an admin is a member, a member is a reader. */
const personas = {
  'admin of another project': who(['admin', 'manager', 'member', 'reader'], 'admin'),
  'admin of the project': who(['admin', 'member', 'reader'], 'demo'),
  'admin without implied roles': who(['Admin'], 'demo'),
  'member who created it': who(['member', 'reader'], 'demo', 'creator'),
  'member of the project': who(['member', 'reader'], 'demo'),
  'member without implied roles': who(['member'], 'demo'),
  'member of another project': who(['member', 'reader'], 'second'),
  'reader who created it': who(['reader'], 'demo', 'creator'),
  'reader of the project': who(['reader'], 'demo'),
  'reader of another project': who(['reader'], 'second'),
  'user without a role': who([], 'demo', 'creator'),
  'user with another role': who(['load-balancer_member'], 'demo', 'creator'),
};

type Persona = keyof typeof personas;

const admins: Persona[] = ['admin of another project', 'admin of the project', 'admin without implied roles'];
const members: Persona[] = ['member who created it', 'member of the project', 'member without implied roles'];
const readers: Persona[] = [
  'member who created it',
  'member of the project',
  'reader who created it',
  'reader of the project',
];

/** Who may, by the words of Magnum's documentation, and what they may. */
const expectations: readonly { may: readonly Persona[]; rules: readonly string[] }[] = [
  {
    may: admins,
    rules: [
      'cluster:delete_all_projects',
      'cluster:detail_all_projects',
      'cluster:get_all_all_projects',
      'cluster:get_one_all_projects',
      'cluster:update_all_projects',
      'cluster:upgrade_all_projects',
      'clustertemplate:delete_all_projects',
      'clustertemplate:detail_all_projects',
      'clustertemplate:get_all_all_projects',
      'clustertemplate:get_one_all_projects',
      'clustertemplate:publish',
      'clustertemplate:update_all_projects',
      'magnum-service:get_all',
      'nodegroup:get_all_all_projects',
      'nodegroup:get_one_all_projects',
      'nodegrouptemplate:delete_all_projects',
      'nodegrouptemplate:detail_all_projects',
      'nodegrouptemplate:get_all_all_projects',
      'nodegrouptemplate:get_one_all_projects',
      'nodegrouptemplate:publish',
      'quota:create',
      'quota:delete',
      'quota:get_all',
      'quota:update',
    ],
  },
  {
    may: [...admins, ...members],
    rules: [
      'certificate:rotate_ca',
      'cluster:create',
      'cluster:delete',
      'cluster:resize',
      'cluster:update',
      'cluster:upgrade',
      'clustertemplate:create',
      'clustertemplate:delete',
      'clustertemplate:update',
      'federation:create',
      'federation:delete',
      'federation:update',
      'nodegroup:create',
      'nodegroup:delete',
      'nodegroup:update',
      'nodegrouptemplate:create',
      'nodegrouptemplate:create_in_clustertemplate',
      'nodegrouptemplate:delete',
      'nodegrouptemplate:update',
    ],
  },
  {
    may: [...admins, ...readers],
    rules: [
      'cluster:detail',
      'cluster:get',
      'cluster:get_all',
      'clustertemplate:detail',
      'clustertemplate:get',
      'clustertemplate:get_all',
      'federation:detail',
      'federation:get',
      'federation:get_all',
      'nodegroup:get',
      'nodegroup:get_all',
      'nodegrouptemplate:detail',
      'nodegrouptemplate:get',
      'nodegrouptemplate:get_all',
      'nodegrouptemplate:get_all_in_clustertemplate',
      'quota:get',
      'stats:get_all',
    ],
  },
  {
    may: [...admins, 'member who created it'],
    rules: ['certificate:create', 'cluster:update_health_status'],
  },
  { may: [...admins, 'member who created it', 'reader who created it'], rules: ['certificate:get'] },
  // The one rule in which being an admin is not enough.
  { may: ['admin of the project', ...members], rules: ['credential:rotate'] },
];

const rows = expectations.flatMap(({ may, rules }) => rules.map((rule) => [rule, may] as const));

describe('the default rules', () => {
  test.for(rows)('%s allows %j and nobody else', ([rule, may]) => {
    const allowed = Object.entries(personas).filter(([, caller]) => policy.allows(rule, caller, target));
    expect(allowed.map(([persona]) => persona).sort()).toEqual([...may].sort());
  });

  test('are all in the table above', () => {
    expect(rows.map(([rule]) => rule).sort()).toEqual(DEFAULT_RULES.map(({ name }) => name).sort());
  });

  test('each say what they are for and which requests ask for them', () => {
    for (const { description, operations } of DEFAULT_RULES) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(operations.length).toBeGreaterThan(0);
      for (const operation of operations) {
        expect(operation).toMatch(/^(GET|POST|PATCH|DELETE) \/v1\/[a-z]+(\/(\{[a-z]+\}|[a-z]+))*$/);
      }
    }
  });

  test.for(['system_scope', 'domain_id'])('need a project: a token with %s is not enough', (scope) => {
    const caller = { ...personas['admin of the project'], [scope]: 'all' };
    const refused = DEFAULT_RULES.filter(({ name }) => !policy.allows(name, caller, target));
    expect(refused.map(({ name }) => name)).toEqual(
      DEFAULT_RULES.filter(({ scope }) => scope === 'project').map(({ name }) => name),
    );
    expect(policy.allows('cluster:get_all_all_projects', caller, target)).toBe(true);
    expect(policy.allows('cluster:get_all', caller, target)).toBe(false);
  });

  test('do not compare with what a target lacks', () => {
    expect(policy.allows('cluster:get', personas['reader of the project'], {})).toBe(false);
    expect(policy.allows('context_is_admin', personas['admin of the project'], {})).toBe(true);
  });
});
