import type { Json } from './replay/json.ts';

/** What the service answers in place of Magnum's recorded answer. */
export interface Expectation {
  status: number;
  /** An error envelope, whose detail names this field or says this. */
  error?: { names: string } | { says: string };
  /** Values that the body has, by their path. */
  body?: Record<string, Json>;
  /** Paths that the body does not have. */
  without?: readonly string[];
}

export interface ExpectedStep {
  scenario: string;
  titles: readonly string[];
  expect: Expectation;
}

/** A way in which the service differs from Magnum on purpose; docs/magnum-differences.md has a section per id. */
export interface Difference {
  id: string;
  reason: string;
  steps: readonly ExpectedStep[];
}

/** A refusal with 400 and the error envelope, whose detail names the field. */
const refused = (scenario: string, names: string, ...titles: string[]): ExpectedStep => ({
  scenario,
  titles,
  expect: { status: 400, error: { names } },
});

export const DIFFERENCES: readonly Difference[] = [
  {
    id: 'server-error-becomes-400',
    reason:
      'Where malformed input makes Magnum answer 500 or close the connection, the service answers 400 and names the field.',
    steps: [
      refused('10-ct-create', 'labels', 'null optional fields'),
      refused('11-ct-invalid', 'dns_nameserver', 'dns_nameserver=1'),
      refused('11-ct-invalid', 'labels', 'labels={"a": null}'),
      refused('11-ct-invalid', 'registry_enabled', 'registry_enabled="maybe"', 'registry_enabled=2'),
      refused('11-ct-invalid', 'tls_disabled', 'tls_disabled="maybe"'),
      refused('11-ct-invalid', 'public', 'public="maybe"'),
      refused('11-ct-invalid', 'hidden', 'hidden="maybe"'),
      refused('11-ct-invalid', 'master_lb_enabled', 'master_lb_enabled="maybe"'),
      refused('11-ct-invalid', 'floating_ip_enabled', 'floating_ip_enabled="maybe"'),
      refused('14-ct-patch', 'coe', 'replace coe swarm'),
      refused('14-ct-patch', 'tls_disabled', 'replace tls_disabled maybe'),
      refused('21-cluster-invalid', 'master_count', 'master_count=null'),
      refused('21-cluster-invalid', 'labels', 'labels={"a": null}'),
      refused('21-cluster-invalid', 'boot_volume_size', 'labels={"boot_volume_size": "x"}'),
      refused('21-cluster-invalid', 'floating_ip_enabled', 'floating_ip_enabled="maybe"'),
      refused('21-cluster-invalid', 'master_lb_enabled', 'master_lb_enabled="maybe"'),
      refused('21-cluster-invalid', 'merge_labels', 'merge_labels="maybe"'),
      refused('24-cluster-patch', 'labels', 'remove labels'),
      refused('24-cluster-patch', 'rollback', 'rollback bad value'),
      refused('30-nodegroups', 'name', 'create name="__drop"', 'create name=null'),
      refused('30-nodegroups', 'merge_labels', 'create merge_labels="maybe"'),
      refused('40-actions', 'node_count', 'resize count null'),
      refused('40-actions', 'cluster_resize_req', 'resize list body'),
      refused('50-certificates', 'csr', 'no csr', 'csr null'),
    ],
  },
  {
    id: 'upgrade-batch-size-is-optional',
    reason:
      'Magnum documents max_batch_size as optional and answers 500 without it; Terraform leaves it out. It is 1 when absent.',
    steps: [
      {
        scenario: '40-actions',
        titles: ['upgrade without max_batch_size at 1.8'],
        expect: { status: 202 },
      },
      // Without the 500 in the way, the refusal is the one that a cluster which never came to be deserves.
      {
        scenario: '28-cluster-failure',
        titles: ['upgrade failed'],
        expect: { status: 400, error: { says: 'Upgrading a cluster when status is "CREATE_FAILED"' } },
      },
    ],
  },
  {
    id: 'template-in-use-is-free',
    reason:
      'A cluster holds all it needs, so the template it came from may be changed and deleted at any time.',
    steps: [
      { scenario: '20-cluster-create', titles: ['template in use: delete'], expect: { status: 204 } },
      // The deletion that Magnum refused has taken the template away from the steps that come after it.
      {
        scenario: '20-cluster-create',
        titles: [
          'template in use: patch flavor',
          'template in use: patch name',
          'template in use: patch tags',
        ],
        expect: { status: 404, error: { says: 'could not be found' } },
      },
      {
        scenario: '22-cluster-list',
        titles: ['admin makes template public'],
        expect: { status: 200, body: { public: true } },
      },
    ],
  },
  {
    id: 'operations-can-be-retried',
    reason: 'Magnum answers 202 to the resize of a failed cluster and drops it; the service carries it out.',
    steps: [
      {
        scenario: '28-cluster-failure',
        titles: ['show after resize'],
        expect: { status: 200, body: { node_count: 2 } },
      },
    ],
  },
  {
    id: 'ca-rotation-refused-before-change',
    reason:
      'A driver that cannot rotate the CA is found out before anything is written, so the cluster does not end in UPDATE_FAILED.',
    steps: [
      {
        scenario: '50-certificates',
        titles: ['rotate at 1.5', 'rotate at 1.14', 'rotate with body'],
        expect: { status: 400, error: { says: "'rotate_ca_certificate' is not supported by this driver." } },
      },
      {
        scenario: '50-certificates',
        titles: ['show after rotate'],
        expect: {
          status: 200,
          body: { status: 'CREATE_COMPLETE', status_reason: null },
          without: ['faults'],
        },
      },
    ],
  },
  {
    id: 'nodegroup-default-flag-is-not-writable',
    reason:
      'Magnum stores is_default from the request, after which the group cannot be deleted; the service ignores it.',
    steps: [
      {
        scenario: '30-nodegroups',
        titles: ['create is_default=true'],
        expect: { status: 202, body: { is_default: false } },
      },
      // Magnum could not delete that group, so it stands in the list to the end: ours has one group fewer.
      {
        scenario: '30-nodegroups',
        titles: ['list end'],
        expect: { status: 200, body: { 'nodegroups.2.name': 'ng-i' }, without: ['nodegroups.3'] },
      },
    ],
  },
];
