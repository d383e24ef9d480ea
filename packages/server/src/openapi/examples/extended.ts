import { maxMinor } from '@jeroboam/domain';
import { clusterWithGroupsView, wholeClusterView } from '../../rest/views/cluster-view.ts';
import { wholeNodeGroupView } from '../../rest/views/node-group-view.ts';
import { templateWithGroupsView, wholeTemplateView } from '../../rest/views/template-view.ts';
import type { ClusterShownWhole, NodeGroupRow } from '../../store/index.ts';
import { exampleBase } from './answers.ts';
import {
  exampleCluster,
  exampleGpuGroup,
  exampleGpuTemplate,
  exampleTemplate,
  exampleWorkers,
} from './rows.ts';

const wholeGroups = [exampleWorkers, exampleGpuGroup].map((group) =>
  wholeNodeGroupView(group, exampleCluster.labels, exampleBase),
);
const wholeTemplate = templateWithGroupsView(
  { ...exampleTemplate, groups: [exampleGpuTemplate] },
  exampleBase,
);
const wholeTemplates = { clustertemplates: [wholeTemplateView(exampleTemplate, exampleBase)] };

/** The cluster took over from its template what Magnum keeps there. */
const wholeRow: ClusterShownWhole & { groups: NodeGroupRow[] } = {
  ...exampleTemplate,
  ...exampleCluster,
  coe: 'kubernetes',
  image_id: 'ubuntu-kube-v1.31',
  server_type: 'vm',
  registry_enabled: false,
  tls_disabled: false,
  template_name: exampleTemplate.name,
  // Never shown.
  ca_cert_ref: '',
  magnum_cert_ref: '',
  etcd_ca_cert_ref: '',
  front_proxy_ca_cert_ref: '',
  refused: false,
  pending_template: null,
  groups: [exampleWorkers, exampleGpuGroup],
};
const wholeCluster = clusterWithGroupsView(wholeRow, exampleBase, maxMinor);
const wholeClusters = {
  clusters: [wholeClusterView(wholeRow, exampleBase, maxMinor, { withFaults: false })],
};

/** Answers in the media type of the extensions, by policy rule. */
export const wholeExamples: Readonly<Record<string, unknown>> = {
  'cluster:detail': wholeClusters,
  'cluster:get': wholeCluster,
  'nodegroup:get_all': { nodegroups: wholeGroups },
  'nodegroup:get': wholeGroups[1],
  'nodegroup:update': wholeGroups[1],
  'clustertemplate:get_all': wholeTemplates,
  'clustertemplate:detail': wholeTemplates,
  'clustertemplate:create': wholeTemplate,
  'clustertemplate:get': wholeTemplate,
  'clustertemplate:update': wholeTemplate,
};

/** Requests that use the extensions, by policy rule. All of them would be accepted. */
export const extendedRequestExamples: Readonly<Record<string, unknown>> = {
  'cluster:create': {
    name: 'staging',
    source_cluster: 'prod',
    master_count: 1,
    labels: { monitoring_enabled: 'false' },
    merge_labels: true,
    merge_nodegroups: true,
    nodegroups: [{ name: 'gpu', node_count: 1, max_node_count: null }],
  },
  'cluster:update': [
    { op: 'replace', path: '/labels', value: { kube_tag: 'v1.31.5' } },
    { op: 'remove', path: '/http_proxy' },
  ],
  'nodegroup:create': { name: 'gpu-b', source_nodegroup: 'prod/gpu', availability_zones: ['nova'] },
  'nodegroup:update': [
    { op: 'replace', path: '/flavor_id', value: 'm1.large' },
    { op: 'replace', path: '/node_taints', value: [] },
  ],
  'clustertemplate:create': { name: 'like-prod', source_cluster: 'prod', keypair_id: null },
  'clustertemplate:update': [
    { op: 'replace', path: '/node_count', value: 3 },
    { op: 'remove', path: '/flavor_id' },
  ],
};
