import { objectIn, type Step } from './step.ts';

const member = 'jeroboam';

const options =
  '--coe kubernetes --external-network public --flavor m1.small --master-flavor m1.small --keypair peers';

/** Cluster templates, by their owner and by others. */
export const templates: readonly Step[] = [
  {
    title: 'a member creates a template with every kind of option',
    as: member,
    types:
      `coe cluster template create ${options} --image ubuntu-kube-v1.31 --labels a=b,c=d --network-driver calico ` +
      '--volume-driver cinder --dns-nameserver 8.8.8.8 --docker-volume-size 5 --http-proxy http://proxy:3128 ' +
      '--no-proxy localhost --fixed-network private --fixed-subnet private-subnet --master-lb-enabled ' +
      '--floating-ip-disabled --tags one peers-ct',
    says: 'Request to create cluster template peers-ct accepted',
    shows: {
      name: 'peers-ct',
      coe: 'kubernetes',
      image_id: 'ubuntu-kube-v1.31',
      cluster_distro: 'ubuntu',
      driver: 'k8s_capi_helm_v1',
      labels: { a: 'b', c: 'd' },
      network_driver: 'calico',
      volume_driver: 'cinder',
      docker_volume_size: 5,
      docker_storage_driver: 'overlay2',
      http_proxy: 'http://proxy:3128',
      https_proxy: '-',
      no_proxy: 'localhost',
      fixed_network: 'private',
      fixed_subnet: 'private-subnet',
      master_lb_enabled: true,
      floating_ip_enabled: false,
      tags: 'one',
      public: false,
      hidden: false,
      updated_at: '-',
    },
    keep: (answer) => ({ template: String(objectIn(answer)['uuid']) }),
  },
  {
    title: 'a template with few options gets the defaults',
    as: member,
    types: `coe cluster template create ${options} --image ubuntu-kube-v1.32 --master-lb-enabled peers-ct2`,
    shows: { name: 'peers-ct2', network_driver: 'flannel', labels: {}, floating_ip_enabled: true },
  },
  {
    title: 'a template may name a driver whose control planes have a fixed size',
    as: member,
    types:
      `coe cluster template create ${options} --image ubuntu-kube-v1.31 --master-lb-enabled ` +
      '--driver simulated_fixed_control_plane peers-fixed',
    shows: { name: 'peers-fixed', driver: 'simulated_fixed_control_plane' },
  },
  {
    title: 'the templates of the project are listed in the order of their making',
    as: member,
    types: 'coe cluster template list',
    lists: [
      { name: 'peers-ct', tags: 'one' },
      { name: 'peers-ct2', tags: null },
      { name: 'peers-fixed', tags: null },
    ],
  },
  {
    title: 'a list can be sorted, limited and given more columns',
    as: member,
    types: 'coe cluster template list --fields labels,flavor_id --limit 1 --sort-key name --sort-dir asc',
    lists: [{ name: 'peers-ct', labels: { a: 'b', c: 'd' }, flavor_id: 'm1.small' }],
  },
  {
    title: 'a limit beyond the page follows the links to the next ones',
    as: member,
    types: 'coe cluster template list --limit 3 --sort-key name --sort-dir desc',
    lists: [{ name: 'peers-fixed' }, { name: 'peers-ct2' }, { name: 'peers-ct' }],
  },
  {
    title: 'a template is shown by name',
    as: member,
    types: 'coe cluster template show peers-ct',
    shows: { name: 'peers-ct', labels: { a: 'b', c: 'd' } },
  },
  {
    title: 'a template is shown by uuid',
    as: member,
    types: 'coe cluster template show {template}',
    shows: { name: 'peers-ct' },
  },
  {
    title: 'a flavor is changed',
    as: member,
    types: 'coe cluster template update peers-ct --flavor m1.medium',
    shows: { flavor_id: 'm1.medium', master_flavor_id: 'm1.small' },
  },
  {
    title: 'a label is added',
    as: member,
    types: 'coe cluster template update peers-ct --label x=y',
    shows: { labels: { a: 'b', c: 'd', x: 'y' } },
  },
  {
    title: 'a label is taken away',
    as: member,
    types: 'coe cluster template update peers-ct --no-label a',
    shows: { labels: { c: 'd', x: 'y' } },
    check: (answer) => {
      if ('a' in (objectIn(answer)['labels'] as object)) throw new Error('The label is still there.');
    },
  },
  {
    title: 'several attributes are changed at once',
    as: member,
    types:
      'coe cluster template update peers-ct --docker-volume-size 7 --tag t1 --dns-nameserver 8.8.4.4 ' +
      '--master-lb-enabled --name peers-ct',
    shows: { docker_volume_size: 7, tags: 't1', dns_nameserver: '8.8.4.4', master_lb_enabled: true },
  },
  {
    title: 'what was changed is shown afterwards',
    as: member,
    types: 'coe cluster template show peers-ct',
    shows: { flavor_id: 'm1.medium', labels: { c: 'd', x: 'y' }, docker_volume_size: 7, tags: 't1' },
  },
  {
    title: 'a member must not make a template public',
    as: member,
    types: 'coe cluster template update peers-ct --public',
    exit: 1,
    says: 'Not authorized to set public or hidden flag for cluster template (HTTP 403) (Request-ID: req-',
  },
  {
    title: 'an administrator creates a public template',
    as: 'jeroboam-admin',
    types:
      'coe cluster template create --coe kubernetes --image ubuntu-kube-v1.31 --external-network public ' +
      '--flavor m1.small --master-flavor m1.small --public peers-public',
    shows: { name: 'peers-public', public: true },
  },
  {
    title: 'another project sees the public template and no other',
    as: 'jeroboam-second',
    types: 'coe cluster template list',
    lists: [{ name: 'peers-public' }],
  },
  {
    title: 'another project cannot find a private template',
    as: 'jeroboam-second',
    types: 'coe cluster template show {template}',
    exit: 1,
    says: 'ClusterTemplate {template} could not be found (HTTP 404)',
  },
  {
    title: 'another project cannot delete a private template',
    as: 'jeroboam-second',
    types: 'coe cluster template delete {template}',
    says: 'Delete for cluster template {template} failed: ClusterTemplate {template} could not be found (HTTP 404)',
  },
];

/** After everything that was made of the templates is gone. */
export const cleaningUp: readonly Step[] = [
  {
    title: 'templates are deleted, several at once',
    as: member,
    types: 'coe cluster template delete peers-ct peers-fixed',
    says: 'Request to delete cluster template peers-fixed has been accepted.',
  },
  {
    title: 'a public template is deleted by its owner',
    as: 'jeroboam-admin',
    types: 'coe cluster template delete peers-public',
    says: 'Request to delete cluster template peers-public has been accepted.',
  },
  { title: 'no template is left', as: member, types: 'coe cluster template list', lists: [] },
  {
    title: 'a deleted template cannot be found',
    as: member,
    types: 'coe cluster template show peers-ct',
    exit: 1,
    says: 'ClusterTemplate peers-ct could not be found (HTTP 404) (Request-ID: req-',
  },
  { title: 'the keypair is deleted', as: member, types: 'keypair delete peers' },
];
