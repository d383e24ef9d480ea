/** What is asked for each operation of the API, unless the operator's policy file says otherwise. */
export interface DefaultRule {
  readonly name: string;
  readonly check: string;
  readonly description: string;
  /** The requests that ask for it. */
  readonly operations: readonly string[];
  /** Tokens scoped to a domain or to the system are refused where a project is needed, whatever the check says. */
  readonly scope: 'project' | 'any';
}

type Row = readonly [name: string, check: string, description: string, ...operations: string[]];

const ADMIN = 'rule:context_is_admin';
const MEMBER = 'rule:admin_or_project_member';
const READER = 'rule:admin_or_project_reader';
// Magnum once kept the users it made for clusters away from these operations and still has rules of their own for them.
const MEMBER_NOT_TRUSTEE = 'rule:admin_or_project_member_deny_cluster_user';
const READER_NOT_TRUSTEE = 'rule:admin_or_project_reader_deny_cluster_user';

const CLUSTER_RULES: readonly Row[] = [
  ['cluster:create', MEMBER_NOT_TRUSTEE, 'Create a cluster.', 'POST /v1/clusters'],
  [
    'cluster:delete',
    MEMBER_NOT_TRUSTEE,
    'Delete a cluster of the own project.',
    'DELETE /v1/clusters/{cluster}',
  ],
  ['cluster:delete_all_projects', ADMIN, 'Delete a cluster of any project.', 'DELETE /v1/clusters/{cluster}'],
  [
    'cluster:detail',
    READER_NOT_TRUSTEE,
    'List the clusters of the own project with all their attributes.',
    'GET /v1/clusters/detail',
  ],
  [
    'cluster:detail_all_projects',
    ADMIN,
    'List the clusters of all projects with all their attributes.',
    'GET /v1/clusters/detail',
  ],
  ['cluster:get', READER_NOT_TRUSTEE, 'Show a cluster of the own project.', 'GET /v1/clusters/{cluster}'],
  ['cluster:get_one_all_projects', ADMIN, 'Show a cluster of any project.', 'GET /v1/clusters/{cluster}'],
  ['cluster:get_all', READER_NOT_TRUSTEE, 'List the clusters of the own project.', 'GET /v1/clusters'],
  ['cluster:get_all_all_projects', ADMIN, 'List the clusters of all projects.', 'GET /v1/clusters'],
  [
    'cluster:update',
    MEMBER_NOT_TRUSTEE,
    'Change a cluster of the own project.',
    'PATCH /v1/clusters/{cluster}',
  ],
  [
    'cluster:update_health_status',
    'rule:admin_or_project_member_user_or_cluster_user',
    'Report the health of a cluster.',
    'PATCH /v1/clusters/{cluster}',
  ],
  ['cluster:update_all_projects', ADMIN, 'Change a cluster of any project.', 'PATCH /v1/clusters/{cluster}'],
  [
    'cluster:resize',
    MEMBER_NOT_TRUSTEE,
    'Change the number of nodes of a group.',
    'POST /v1/clusters/{cluster}/actions/resize',
  ],
  [
    'cluster:upgrade',
    MEMBER_NOT_TRUSTEE,
    'Move a cluster of the own project to another version.',
    'POST /v1/clusters/{cluster}/actions/upgrade',
  ],
  [
    'cluster:upgrade_all_projects',
    ADMIN,
    'Move a cluster of any project to another version.',
    'POST /v1/clusters/{cluster}/actions/upgrade',
  ],
];

const CLUSTER_TEMPLATE_RULES: readonly Row[] = [
  ['clustertemplate:create', MEMBER_NOT_TRUSTEE, 'Create a cluster template.', 'POST /v1/clustertemplates'],
  [
    'clustertemplate:delete',
    MEMBER,
    'Delete a template of the own project.',
    'DELETE /v1/clustertemplates/{template}',
  ],
  [
    'clustertemplate:delete_all_projects',
    ADMIN,
    'Delete a template of any project.',
    'DELETE /v1/clustertemplates/{template}',
  ],
  [
    'clustertemplate:detail_all_projects',
    ADMIN,
    'List the templates of all projects with all their attributes.',
    'GET /v1/clustertemplates/detail',
  ],
  [
    'clustertemplate:detail',
    READER_NOT_TRUSTEE,
    'List the visible templates with all their attributes.',
    'GET /v1/clustertemplates/detail',
  ],
  [
    'clustertemplate:get',
    READER_NOT_TRUSTEE,
    'Show a visible template.',
    'GET /v1/clustertemplates/{template}',
  ],
  [
    'clustertemplate:get_one_all_projects',
    ADMIN,
    'Show a template of any project.',
    'GET /v1/clustertemplates/{template}',
  ],
  ['clustertemplate:get_all', READER_NOT_TRUSTEE, 'List the visible templates.', 'GET /v1/clustertemplates'],
  [
    'clustertemplate:get_all_all_projects',
    ADMIN,
    'List the templates of all projects.',
    'GET /v1/clustertemplates',
  ],
  [
    'clustertemplate:update',
    MEMBER,
    'Change a template of the own project.',
    'PATCH /v1/clustertemplates/{template}',
  ],
  [
    'clustertemplate:update_all_projects',
    ADMIN,
    'Change a template of any project.',
    'PATCH /v1/clustertemplates/{template}',
  ],
  [
    'clustertemplate:publish',
    ADMIN,
    'Make a template public or hidden, or undo it.',
    'POST /v1/clustertemplates',
    'PATCH /v1/clustertemplates/{template}',
  ],
];

const NODE_GROUP_RULES: readonly Row[] = [
  ['nodegroup:get', READER, 'Show a node group.', 'GET /v1/clusters/{cluster}/nodegroups/{nodegroup}'],
  [
    'nodegroup:get_all',
    READER,
    'List the node groups of a cluster.',
    'GET /v1/clusters/{cluster}/nodegroups',
  ],
  [
    'nodegroup:get_all_all_projects',
    ADMIN,
    'List the node groups of a cluster of any project.',
    'GET /v1/clusters/{cluster}/nodegroups',
  ],
  [
    'nodegroup:get_one_all_projects',
    ADMIN,
    'Show a node group of a cluster of any project.',
    'GET /v1/clusters/{cluster}/nodegroups/{nodegroup}',
  ],
  ['nodegroup:create', MEMBER, 'Add a node group to a cluster.', 'POST /v1/clusters/{cluster}/nodegroups'],
  [
    'nodegroup:delete',
    MEMBER,
    'Delete a node group.',
    'DELETE /v1/clusters/{cluster}/nodegroups/{nodegroup}',
  ],
  ['nodegroup:update', MEMBER, 'Change a node group.', 'PATCH /v1/clusters/{cluster}/nodegroups/{nodegroup}'],
];

/** In the manner of cluster templates. What is part of one also needs clustertemplate:update to be added there. */
const NODE_GROUP_TEMPLATE_RULES: readonly Row[] = [
  [
    'nodegrouptemplate:create',
    MEMBER_NOT_TRUSTEE,
    'Create a node-group template.',
    'POST /v1/nodegrouptemplates',
  ],
  [
    'nodegrouptemplate:create_in_clustertemplate',
    'rule:nodegrouptemplate:create',
    'Create a node-group template in the collection of a cluster template.',
    'POST /v1/clustertemplates/{template}/nodegrouptemplates',
  ],
  [
    'nodegrouptemplate:delete',
    MEMBER,
    'Delete a node-group template of the own project.',
    'DELETE /v1/nodegrouptemplates/{nodegrouptemplate}',
  ],
  [
    'nodegrouptemplate:delete_all_projects',
    ADMIN,
    'Delete a node-group template of any project.',
    'DELETE /v1/nodegrouptemplates/{nodegrouptemplate}',
  ],
  [
    'nodegrouptemplate:detail',
    READER_NOT_TRUSTEE,
    'List the visible node-group templates with all their attributes.',
    'GET /v1/nodegrouptemplates/detail',
  ],
  [
    'nodegrouptemplate:detail_all_projects',
    ADMIN,
    'List the node-group templates of all projects with all their attributes.',
    'GET /v1/nodegrouptemplates/detail',
  ],
  [
    'nodegrouptemplate:get',
    READER_NOT_TRUSTEE,
    'Show a visible node-group template, or make something from it.',
    'GET /v1/nodegrouptemplates/{nodegrouptemplate}',
  ],
  [
    'nodegrouptemplate:get_one_all_projects',
    ADMIN,
    'Show a node-group template of any project.',
    'GET /v1/nodegrouptemplates/{nodegrouptemplate}',
  ],
  [
    'nodegrouptemplate:get_all',
    READER_NOT_TRUSTEE,
    'List the visible node-group templates.',
    'GET /v1/nodegrouptemplates',
  ],
  [
    'nodegrouptemplate:get_all_all_projects',
    ADMIN,
    'List the node-group templates of all projects.',
    'GET /v1/nodegrouptemplates',
  ],
  [
    'nodegrouptemplate:get_all_in_clustertemplate',
    'rule:nodegrouptemplate:get_all',
    'List the node-group templates of a cluster template that one can see.',
    'GET /v1/clustertemplates/{template}/nodegrouptemplates',
  ],
  [
    'nodegrouptemplate:update',
    MEMBER,
    'Change a node-group template of the own project.',
    'PATCH /v1/nodegrouptemplates/{nodegrouptemplate}',
  ],
  [
    'nodegrouptemplate:publish',
    ADMIN,
    'Make a node-group template public or hidden, or undo it.',
    'POST /v1/nodegrouptemplates',
    'PATCH /v1/nodegrouptemplates/{nodegrouptemplate}',
  ],
];

const CERTIFICATE_RULES: readonly Row[] = [
  [
    'certificate:create',
    'rule:admin_or_project_member_user',
    'Have a certificate signed by a CA of a cluster.',
    'POST /v1/certificates',
  ],
  [
    'certificate:get',
    'rule:admin_or_project_reader_user',
    'Show a CA certificate of a cluster.',
    'GET /v1/certificates/{cluster}',
  ],
  ['certificate:rotate_ca', MEMBER, 'Replace the CAs of a cluster.', 'PATCH /v1/certificates/{cluster}'],
  [
    'credential:rotate',
    'rule:project_member_deny_cluster_user',
    "Replace a cluster's own credential for the cloud.",
    'PATCH /v1/credentials/{cluster}',
  ],
];

const SERVICE_RULES: readonly Row[] = [
  ['quota:create', ADMIN, 'Set the quota of a project.', 'POST /v1/quotas'],
  ['quota:delete', ADMIN, 'Return a project to the default quota.', 'DELETE /v1/quotas/{project}/{resource}'],
  ['quota:get', READER, 'Show the quota of a project.', 'GET /v1/quotas/{project}/{resource}'],
  ['quota:get_all', ADMIN, 'List quotas.', 'GET /v1/quotas'],
  ['quota:update', ADMIN, 'Change the quota of a project.', 'PATCH /v1/quotas/{project}/{resource}'],
  ['stats:get_all', READER, 'Count clusters and nodes.', 'GET /v1/stats'],
  ['magnum-service:get_all', ADMIN, 'List the conductors and their state.', 'GET /v1/mservices'],
];

const FEDERATION_RULES: readonly Row[] = [
  ['federation:create', MEMBER_NOT_TRUSTEE, 'Create a federation.', 'POST /v1/federations'],
  ['federation:delete', MEMBER_NOT_TRUSTEE, 'Delete a federation.', 'DELETE /v1/federations/{federation}'],
  [
    'federation:detail',
    READER_NOT_TRUSTEE,
    'List federations with all their attributes.',
    'GET /v1/federations/detail',
  ],
  ['federation:get', READER_NOT_TRUSTEE, 'Show a federation.', 'GET /v1/federations/{federation}'],
  ['federation:get_all', READER_NOT_TRUSTEE, 'List federations.', 'GET /v1/federations'],
  ['federation:update', MEMBER_NOT_TRUSTEE, 'Change a federation.', 'PATCH /v1/federations/{federation}'],
];

const ROWS: readonly Row[] = [
  ...CLUSTER_RULES,
  ...CLUSTER_TEMPLATE_RULES,
  ...NODE_GROUP_RULES,
  ...NODE_GROUP_TEMPLATE_RULES,
  ...CERTIFICATE_RULES,
  ...SERVICE_RULES,
  ...FEDERATION_RULES,
];

export const DEFAULT_RULES: readonly DefaultRule[] = ROWS.map(
  ([name, check, description, ...operations]) => ({
    name,
    check,
    description,
    operations,
    scope: check === ADMIN ? 'any' : 'project',
  }),
);
