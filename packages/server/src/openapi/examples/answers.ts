import { linksOf } from '../../rest/links.ts';
import { clusterSummaryView, clusterView } from '../../rest/views/cluster-view.ts';
import {
  acceptedNodeGroupView,
  nodeGroupSummaryView,
  nodeGroupView,
} from '../../rest/views/node-group-view.ts';
import { nodeGroupTemplateView } from '../../rest/views/node-group-template-view.ts';
import { templateView } from '../../rest/views/template-view.ts';
import { maxMinor } from '@jeroboam/domain';
import { exampleAuthority, exampleCsr, exampleSigned } from './certificate.ts';
import {
  exampleCluster,
  exampleGpuGroup,
  exampleGpuTemplate,
  exampleIds,
  exampleTemplate,
  exampleWorkers,
} from './rows.ts';

/** Where a service of one's own listens; the document tells the real address under `servers`. */
export const exampleBase = 'http://127.0.0.1:9511';

const cluster = clusterView(exampleCluster, exampleBase, maxMinor, { withFaults: true });
const clusterSummary = clusterSummaryView(exampleCluster, exampleBase, maxMinor);
const template = templateView(exampleTemplate, exampleBase);
const groupTemplate = nodeGroupTemplateView(exampleGpuTemplate, exampleBase);
const gpu = exampleGpuGroup;
/** The group with nothing left open, as a template that stands alone. */
const groupAsTemplate = nodeGroupTemplateView(
  {
    ...exampleGpuTemplate,
    name: 'gpu-large',
    cluster_template_id: null,
    image_id: gpu.image_id,
    labels: gpu.labels,
    data_volumes: gpu.data_volumes,
    networks: gpu.networks,
    security_groups: gpu.security_groups,
    update_strategy: gpu.update_strategy,
  },
  exampleBase,
);
const nodeGroup = nodeGroupView(gpu, exampleCluster.labels, exampleBase);

const acceptedNodeGroup = acceptedNodeGroupView(
  {
    uuid: gpu.uuid,
    projectId: gpu.project_id,
    spec: gpu,
    given: new Set(['node_labels', 'node_taints']),
  },
  exampleCluster,
  exampleBase,
);

const quota = {
  id: 3,
  project_id: exampleIds.project,
  resource: 'Cluster',
  hard_limit: 20,
  created_at: exampleTemplate.created_at,
  updated_at: null,
};

const certificate = {
  cluster_uuid: exampleIds.cluster,
  links: linksOf(exampleBase, `certificates/${exampleIds.cluster}`),
};

const federationId = '5d1c2b3a-6f70-4c8e-9d1f-0a1b2c3d4e5f';

/** The answer to every operation that shows something, by its policy rule. */
export const answerExamples: Readonly<Record<string, unknown>> = {
  'cluster:get_all': {
    clusters: [clusterSummary],
    next: `${exampleBase}/v1/clusters?sort_key=id&sort_dir=asc&limit=1&marker=${exampleIds.cluster}`,
  },
  'cluster:detail': { clusters: [cluster] },
  'cluster:get': cluster,
  'nodegroup:get_all': { nodegroups: [exampleWorkers, gpu].map(nodeGroupSummaryView) },
  'nodegroup:create': acceptedNodeGroup,
  'nodegroup:get': nodeGroup,
  'nodegroup:update': { ...nodeGroup, max_node_count: 8, node_labels: { tier: 'gpu', zone: 'b' } },
  'clustertemplate:get_all': { clustertemplates: [template] },
  'clustertemplate:detail': { clustertemplates: [template] },
  'clustertemplate:create': template,
  'clustertemplate:get': template,
  'clustertemplate:update': {
    ...template,
    labels: { kube_tag: 'v1.31.5' },
    tags: 'small,approved',
    dns_nameserver: null,
  },
  'nodegrouptemplate:get_all': { nodegrouptemplates: [groupTemplate] },
  'nodegrouptemplate:detail': { nodegrouptemplates: [groupTemplate] },
  'nodegrouptemplate:get_all_in_clustertemplate': { nodegrouptemplates: [groupTemplate] },
  'nodegrouptemplate:create': groupAsTemplate,
  'nodegrouptemplate:create_in_clustertemplate': groupTemplate,
  'nodegrouptemplate:get': groupTemplate,
  'nodegrouptemplate:update': {
    ...groupTemplate,
    max_node_count: 8,
    tags: 'gpu,approved',
    availability_zones: null,
    updated_at: exampleCluster.updated_at,
  },
  'certificate:create': { ...certificate, csr: exampleCsr, pem: exampleSigned },
  'certificate:get': { ...certificate, pem: exampleAuthority },
  'quota:get_all': { quotas: [quota] },
  'quota:create': quota,
  'quota:get': quota,
  'quota:update': { ...quota, hard_limit: 30, updated_at: exampleCluster.updated_at },
  'federation:get_all': { federations: [] },
  'federation:detail': { federations: [] },
  'federation:get': {
    uuid: federationId,
    name: 'europe',
    hostcluster_id: exampleIds.cluster,
    member_ids: [],
    status: 'CREATE_COMPLETE',
    links: linksOf(exampleBase, `federations/${federationId}`),
  },
};

/** What lists show of a resource where that is less than all of it. */
export const summaryAttributes: Readonly<Record<string, ReadonlySet<string>>> = {
  // Up to 1.12 the summary calls it stack_id; the schema knows both.
  'cluster:get_all': new Set([...Object.keys(clusterSummary), 'stack_id']),
  'nodegroup:get_all': new Set(Object.keys(nodeGroupSummaryView(gpu))),
};
