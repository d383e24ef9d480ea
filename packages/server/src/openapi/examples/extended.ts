import { clusterSpec } from '@jeroboam/domain';
import { wholeNodeGroupView } from '../../rest/views/node-group-view.ts';
import { templateWithGroupsView, wholeTemplateView } from '../../rest/views/template-view.ts';
import type { NodeGroupTemplateRow } from '../../store/index.ts';
import { answerExamples, exampleBase } from './answers.ts';
import { exampleCluster, exampleGpuGroup, exampleIds, exampleTemplate, exampleWorkers } from './rows.ts';

const groupOfTemplate: NodeGroupTemplateRow = {
  id: 3,
  uuid: '6b1c0c5e-2f0e-4c0a-9a54-9d5a8f0b7e33',
  name: 'gpu',
  project_id: exampleIds.project,
  user_id: exampleIds.user,
  cluster_template_id: exampleIds.template,
  docker_volume_size: null,
  labels: null,
  merge_labels: false,
  flavor_id: 'm1.large',
  image_id: null,
  node_count: 3,
  role: 'gpu',
  min_node_count: 1,
  max_node_count: 5,
  node_labels: { tier: 'gpu' },
  node_taints: exampleGpuGroup.node_taints,
  kubernetes_version: null,
  root_volume: { size: 40, type: 'ssd' },
  data_volumes: null,
  availability_zones: ['nova'],
  networks: null,
  security_groups: null,
  server_group_policy: null,
  update_strategy: null,
  public: false,
  hidden: false,
  tags: null,
  created_at: exampleTemplate.created_at,
  updated_at: null,
};

const wholeGroups = [exampleWorkers, exampleGpuGroup].map((group) =>
  wholeNodeGroupView(group, exampleCluster.labels, exampleBase),
);
const wholeTemplate = templateWithGroupsView({ ...exampleTemplate, groups: [groupOfTemplate] }, exampleBase);
const wholeTemplates = { clustertemplates: [wholeTemplateView(exampleTemplate, exampleBase)] };

/** The cluster took from its template what Magnum keeps there. */
const takenOver = clusterSpec
  .filter(({ extension }) => extension === true)
  .map(({ name }) => [name, exampleTemplate[name as keyof typeof exampleTemplate]] as const);

const wholeCluster = {
  ...(answerExamples['cluster:get'] as object),
  ...Object.fromEntries(takenOver),
  nodegroups: wholeGroups,
};

/** Answers in the media type of the extensions, by policy rule. */
export const wholeExamples: Readonly<Record<string, unknown>> = {
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
