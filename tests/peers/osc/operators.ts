import type { Step } from './step.ts';

const member = 'jeroboam';
const admin = 'jeroboam-admin';
const quota = '--project-id {project} --resource Cluster';

/** Quotas, statistics and services. */
export const operators: readonly Step[] = [
  {
    title: 'the services are listed to an administrator',
    as: admin,
    types: 'coe service list',
    lists: [{ id: 1, binary: 'magnum-conductor', state: 'up', disabled: false, disabled_reason: null }],
  },
  {
    title: 'the services are not listed to a member',
    as: member,
    types: 'coe service list',
    exit: 1,
    says: "Policy doesn't allow magnum-service:get_all to be performed (HTTP 403)",
  },
  {
    title: 'statistics count the clusters and nodes of a project',
    as: member,
    types: 'coe stats list {project}',
    table: { clusters: '1', nodes: '5' },
  },
  {
    title: 'an administrator reads the statistics of a project',
    as: admin,
    types: 'coe stats list {project}',
    table: { clusters: '1', nodes: '5' },
  },
  {
    title: 'a project without a quota of its own has the default',
    as: member,
    types: `coe quotas show ${quota}`,
    table: { hard_limit: '20', resource: 'Cluster' },
  },
  {
    title: 'an administrator creates a quota',
    as: admin,
    types: `coe quotas create ${quota} --hard-limit 1`,
    table: { hard_limit: '1', resource: 'Cluster' },
  },
  {
    title: 'a second quota for the same is refused',
    as: admin,
    types: `coe quotas create ${quota} --hard-limit 2`,
    says: '(HTTP 409)',
  },
  {
    title: 'a member must not create quotas',
    as: member,
    types: `coe quotas create ${quota} --hard-limit 100`,
    says: "Policy doesn't allow quota:create to be performed (HTTP 403)",
  },
  {
    title: 'a member sees the quota of the project',
    as: member,
    types: `coe quotas show ${quota}`,
    table: { hard_limit: '1' },
  },
  {
    title: 'a member must not list quotas',
    as: member,
    types: 'coe quotas list',
    exit: 1,
    says: "Policy doesn't allow quota:get_all to be performed (HTTP 403)",
  },
  {
    title: 'an administrator lists the quotas of all projects',
    as: admin,
    types: 'coe quotas list --all-tenants',
    says: '{project} | Cluster  | 1',
  },
  {
    title: 'a cluster beyond the quota is refused',
    as: member,
    types: 'coe cluster create --cluster-template peers-ct too-many',
    exit: 1,
    says: '(HTTP 403) (Request-ID: req-',
  },
  {
    title: 'a quota is changed',
    as: admin,
    types: `coe quotas update ${quota} --hard-limit 9`,
    table: { hard_limit: '9' },
  },
  {
    title: 'the changed quota is shown',
    as: admin,
    types: `coe quotas show ${quota}`,
    table: { hard_limit: '9' },
  },
  {
    title: 'a quota is deleted',
    as: admin,
    types: `coe quotas delete ${quota}`,
    says: 'Request to delete quota for project id {project} and resource Cluster has been accepted.',
  },
  {
    title: 'without it the default holds again',
    as: admin,
    types: `coe quotas show ${quota}`,
    table: { hard_limit: '20' },
  },
];
