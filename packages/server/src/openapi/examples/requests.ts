import { exampleCsr } from './certificate.ts';
import { exampleIds } from './rows.ts';

/** A request body of every operation that takes one, by its policy rule. All of them would be accepted. */
export const requestExamples: Readonly<Record<string, unknown>> = {
  'cluster:create': {
    name: 'prod',
    cluster_template_id: 'k8s-small',
    keypair: 'default',
    master_count: 3,
    node_count: 2,
    labels: { monitoring_enabled: 'true' },
    merge_labels: true,
  },
  'cluster:update': [{ op: 'replace', path: '/node_count', value: 4 }],
  'cluster:resize': { node_count: 4, nodegroup: 'gpu' },
  'cluster:upgrade': { cluster_template: 'k8s-1.32', max_batch_size: 1 },
  'nodegroup:create': {
    name: 'gpu',
    flavor_id: 'm1.large',
    role: 'gpu',
    node_count: 3,
    min_node_count: 1,
    max_node_count: 5,
    node_labels: { tier: 'gpu' },
    node_taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
  },
  'nodegroup:update': [
    { op: 'replace', path: '/max_node_count', value: 8 },
    { op: 'replace', path: '/node_labels', value: "{'tier': 'gpu', 'zone': 'b'}" },
  ],
  'clustertemplate:create': {
    name: 'k8s-small',
    coe: 'kubernetes',
    image_id: 'ubuntu-kube-v1.31',
    external_network_id: 'public',
    flavor_id: 'm1.small',
    master_flavor_id: 'm1.small',
    keypair_id: 'default',
    dns_nameserver: '8.8.8.8',
    network_driver: 'calico',
    volume_driver: 'cinder',
    master_lb_enabled: true,
    labels: { kube_tag: 'v1.31.4' },
  },
  'clustertemplate:update': [
    { op: 'replace', path: '/labels/kube_tag', value: 'v1.31.5' },
    { op: 'add', path: '/tags', value: 'small,approved' },
    { op: 'remove', path: '/dns_nameserver' },
  ],
  'certificate:create': { cluster_uuid: exampleIds.cluster, csr: exampleCsr },
  'quota:create': { project_id: exampleIds.project, resource: 'Cluster', hard_limit: 20 },
  'quota:update': { hard_limit: 30 },
  'federation:create': { name: 'europe', hostcluster_id: exampleIds.cluster },
  'federation:update': [{ op: 'add', path: '/member_ids', value: exampleIds.cluster }],
};
