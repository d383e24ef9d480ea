import { status, type Answer, type Step } from './step.ts';

const member = 'jeroboam';
const show = 'coe cluster show peers-c';

const uuidIn = (answer: Answer): string => /[0-9a-f-]{36}/.exec(answer.stdout)?.[0] ?? '';

/** The life of a cluster; node groups and certificates have chapters of their own. */
export const clusters: readonly Step[] = [
  {
    title: 'a member creates a cluster',
    as: member,
    types:
      'coe cluster create --cluster-template peers-ct --keypair peers --node-count 1 --master-count 1 ' +
      '--labels x=z,q=r --merge-labels --timeout 30 --docker-volume-size 6 peers-c',
    says: 'Request to create cluster ',
    keep: (answer) => ({ cluster: uuidIn(answer) }),
  },
  {
    title: 'the cluster is there at once',
    as: member,
    types: 'coe cluster list',
    lists: [{ name: 'peers-c', keypair: 'peers', node_count: 1, master_count: 1 }],
  },
  {
    title: 'the cluster becomes complete',
    as: member,
    types: show,
    until: status('CREATE_COMPLETE'),
    shows: {
      name: 'peers-c',
      health_status: 'HEALTHY',
      status_reason: null,
      coe_version: '1.31.4',
      labels: { c: 'd', x: 'z', q: 'r' },
      labels_overridden: { x: 'y' },
      labels_added: { q: 'r' },
      labels_skipped: {},
      create_timeout: 30,
      docker_volume_size: 6,
      flavor_id: 'm1.medium',
      master_flavor_id: 'm1.small',
      master_lb_enabled: true,
      floating_ip_enabled: false,
      keypair: 'peers',
      faults: '',
    },
    keep: ({ stdout }) => ({ api: (JSON.parse(stdout) as { api_address: string }).api_address }),
  },
  {
    title: 'a cluster is shown by uuid',
    as: member,
    types: 'coe cluster show {cluster}',
    shows: { name: 'peers-c' },
  },
  {
    title: 'the number of nodes is changed by an update',
    as: member,
    types: 'coe cluster update peers-c --node-count 2',
    says: 'Request to update cluster peers-c has been accepted.',
  },
  {
    title: 'the update becomes complete',
    as: member,
    types: show,
    until: status('UPDATE_COMPLETE'),
    shows: { node_count: 2, master_count: 1 },
  },
  {
    title: 'a cluster keeps its name for life',
    as: member,
    types: 'coe cluster update peers-c --name other',
    exit: 1,
    says: 'cannot change cluster property(ies) name (HTTP 400)',
  },
  {
    title: 'workers are resized',
    as: member,
    types: 'coe cluster resize peers-c 3',
    says: 'Request to resize cluster peers-c has been accepted.',
  },
  {
    title: 'the resize becomes complete',
    as: member,
    types: show,
    until: status('UPDATE_COMPLETE'),
    shows: { node_count: 3 },
  },
  {
    title: 'workers are taken away, one of them by name',
    as: member,
    types: 'coe cluster resize --nodegroup default-worker --nodes-to-remove abc peers-c 2',
    says: 'Request to resize cluster peers-c has been accepted.',
  },
  {
    title: 'the control plane is resized to three',
    as: member,
    types: 'coe cluster resize --nodegroup default-master peers-c 3',
    says: 'Request to resize cluster peers-c has been accepted.',
  },
  {
    title: 'the cluster has three masters and two workers then',
    as: member,
    types: show,
    until: status('UPDATE_COMPLETE'),
    shows: { master_count: 3, node_count: 2 },
  },
  {
    title: 'a control plane of even size is refused with the reason',
    as: member,
    types: 'coe cluster resize --nodegroup default-master peers-c 2',
    exit: 1,
    says: 'master nodegroup size of 2 is invalid, size cannot be an even number (HTTP 400) (Request-ID: req-',
  },
  {
    title: 'an upgrade to another template is accepted',
    as: member,
    types: 'coe cluster upgrade peers-c peers-ct2',
    says: 'Request to upgrade cluster peers-c has been accepted.',
  },
  {
    title: 'the cluster has the version of the other template then',
    as: member,
    types: show,
    until: (shown) => status('UPDATE_COMPLETE')(shown) && shown['coe_version'] === '1.32.1',
    shows: { coe_version: '1.32.1', node_count: 2 },
  },
  {
    title: 'credentials are rotated',
    as: member,
    types: 'coe credential rotate peers-c',
    says: 'Request to rotate credentials for cluster {cluster} accepted.',
  },
  {
    title: 'a second cluster is made on a driver with control planes of a fixed size',
    as: member,
    types: 'coe cluster create --cluster-template peers-fixed peers-f',
    says: 'Request to create cluster ',
  },
  {
    title: 'that cluster becomes complete too',
    as: member,
    types: 'coe cluster show peers-f',
    until: status('CREATE_COMPLETE'),
    shows: { master_count: 1 },
  },
  {
    title: 'its control plane cannot be resized, and the client says why',
    as: member,
    types: 'coe cluster resize --nodegroup default-master peers-f 3',
    exit: 1,
    says: '(HTTP 400) (Request-ID: req-',
  },
  {
    title: 'a cluster that the driver cannot make is shown as failed with the reason',
    as: member,
    types: 'coe cluster create --cluster-template peers-ct failhelm-peers',
    says: 'Request to create cluster ',
  },
  {
    title: 'the failed cluster says why',
    as: member,
    types: 'coe cluster show failhelm-peers',
    until: status('CREATE_FAILED'),
    shows: { api_address: null, coe_version: null },
    check: ({ stdout }) => {
      const { status_reason: reason } = JSON.parse(stdout) as { status_reason: unknown };
      if (typeof reason !== 'string' || reason.length < 10) throw new Error('There is no reason.');
    },
  },
  {
    title: 'clusters are listed sorted and page by page',
    as: member,
    types: 'coe cluster list --limit 2 --sort-key name --sort-dir desc',
    lists: [{ name: 'peers-f' }, { name: 'peers-c', status: 'UPDATE_COMPLETE', health_status: 'HEALTHY' }],
  },
  {
    title: 'older versions of the API are spoken on demand',
    as: member,
    types: '--os-container-infra-api-version 1.9 coe cluster list --sort-key name --sort-dir asc',
    lists: [{ name: 'failhelm-peers' }, { name: 'peers-c' }, { name: 'peers-f' }],
  },
  {
    title: 'clusters are deleted, several at once',
    as: member,
    types: 'coe cluster delete peers-f failhelm-peers',
    says: 'Request to delete cluster failhelm-peers has been accepted.',
  },
  {
    title: 'a deleted cluster is gone in the end',
    as: member,
    types: 'coe cluster show peers-f',
    untilExit: 1,
    says: 'Cluster peers-f could not be found (HTTP 404)',
  },
];
