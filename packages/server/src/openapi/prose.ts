import { maxMinor, minMinor, serviceType } from '@jeroboam/domain';
import { extensionType } from '../rest/extension.ts';

/** What the document says in words: what no table of the code knows. */
export const summary = 'Managed Kubernetes for OpenStack clouds, speaking the Magnum API.';

export const description = `Jeroboam makes Kubernetes clusters in an OpenStack cloud. Its API is that of OpenStack Magnum 23, so every client of Magnum works with it.

Every request but the public ones carries a Keystone token in the header \`X-Auth-Token\`. What a token may do is decided by the policy rule that each operation names.

Names work wherever a uuid does, as long as they are unique in the project. In JSON bodies, numbers and booleans may come as text, \`null\` means "not given", and attributes nobody knows are refused. What goes beyond Magnum is told under \`extensions\`.

Changes of clusters are accepted (202, or 204 for a deletion) and then carried out: read \`status\` to see how far they are.

**Microversions.** The header \`OpenStack-API-Version: container-infra 1.${maxMinor}\` asks for a version from 1.${minMinor} to 1.${maxMinor}, or \`latest\`; \`${serviceType}\` is the long form of the first word. Without the header, 1.${minMinor} answers. Each answer tells in the same header which version was used. What differs:

- 1.3: \`rollback\` is a known argument when a cluster is changed.
- 1.7: node groups can be resized.
- 1.8: clusters can be upgraded.
- 1.9: node groups can be read, made, changed and removed.
- 1.10: a group may have zero nodes; an unknown template in a new cluster is answered with 404 instead of 400.
- 1.12: credentials can be rotated.
- 1.13: clusters show \`cluster_id\` instead of \`stack_id\`.`;

const extensions = `What Magnum does not have. A client that knows nothing of it sees what Magnum would answer; attributes and arguments of it are marked \`x-extension\`.

- Clusters are made from all their attributes, from a template (\`cluster_template_id\`), from another cluster (\`source_cluster\`), or from either with attributes that win. Lowest first: the service's default (\`x-default\`), the source, the request.
- \`nodegroups\` lists the groups of workers of a new cluster or cluster template, each by attributes, from a \`nodegroup_template_id\` or like a \`source_nodegroup\`. It replaces the groups of the source; with \`merge_nodegroups\` it is laid over them by name. An empty list makes a control plane alone.
- Cluster templates are made from scratch, from another (\`source_template\`) or from a cluster (\`source_cluster\`), and may leave anything open.
- \`/v1/nodegrouptemplates\` holds what node groups could be, alone or as part of a cluster template.
- In a request that uses any of this, \`null\` opens an attribute: what the source says of it does not count. All that is wrong is refused at once.
- \`?dry_run=true\` writes nothing and answers 200 with a DryRun: the resource as it would be, the origin of each attribute, and all that would be refused.
- Who accepts \`${extensionType}\` is shown resources whole, with their node groups. A JSON patch sent as that type may change every attribute whose \`x-mutability\` is not \`immutable\`; of those that are, \`x-instead\` says what to do.
- \`/v1/clusters/{cluster}/events\` tells what happened to a cluster, and streams it to who accepts \`text/event-stream\`; \`…/machines\` lists its machines.

This description of the API is one of them too, and public.`;

export const tags = [
  { name: 'clusters', description: 'Kubernetes clusters: make, read, change and delete them.' },
  { name: 'actions', description: 'Resizing and upgrading a cluster.' },
  { name: 'nodegroups', description: 'Groups of alike nodes in a cluster.' },
  { name: 'clustertemplates', description: 'What clusters are made from.' },
  {
    name: 'certificates',
    description: 'The certificate authorities of a cluster, and certificates signed by them.',
  },
  { name: 'credentials', description: "A cluster's own credentials for the cloud." },
  { name: 'quotas', description: 'How many clusters a project may have.' },
  { name: 'stats', description: 'Counts of clusters and nodes.' },
  { name: 'mservices', description: 'The processes that carry out the work.' },
  { name: 'federations', description: 'Kept for clients that ask for them; there are never any.' },
  {
    name: 'discovery',
    description: 'What the service is, which versions it speaks, and whether it lives. Public.',
  },
  { name: 'extensions', description: extensions },
];

/** What a reader should know of single operations, by policy rule. */
export const notes: Readonly<Record<string, string>> = {
  'cluster:get_all':
    "Lists the clusters of the caller's project in short; `/v1/clusters/detail` shows all attributes. A full page carries the address of the `next` one.",
  'cluster:detail': 'A full page carries the address of the `next` one.',
  'cluster:create':
    'The template, flavors, image, networks, key pair and the quota are checked before the request is accepted; all else shows in `status` and `faults` later.',
  'cluster:update':
    'As plain JSON it may change `node_count`, and `health_status` and `health_status_reason` for those who watch over clusters. In the media type of the extensions it may change every attribute that is not immutable.',
  'cluster:resize':
    'Without `nodegroup`, the default workers are resized. The control plane (`default-master`) can be resized where the driver supports it, to an odd number of nodes.',
  'cluster:upgrade': 'At 1.7 the operation exists but refuses; it works from 1.8 on.',
  'nodegroup:get_all':
    'Groups in short: the list always says `min_node_count` 0 and `max_node_count` null. Show a group to read its bounds.',
  'nodegroup:update':
    'As plain JSON it may change `min_node_count`, `max_node_count`, `node_labels` and `node_taints`; the values of the last two are sent as text, written like in the example. In the media type of the extensions it may change every attribute that is not immutable, with values as they are.',
  'nodegroup:delete': 'The two groups made with the cluster cannot be removed.',
  'clustertemplate:update':
    'To set `public` or `hidden`, the rule clustertemplate:publish must allow it. Single labels are addressed as `/labels/<name>`.',
  'nodegrouptemplate:create':
    'Everything may be left open: null, or not given. `source_nodegroup_template` or `source_nodegroup` says what to make it like; what else is given wins over that, and null opens it.',
  'nodegrouptemplate:create_in_clustertemplate':
    'The cluster template must be one that the caller may change (clustertemplate:update). It has each name once and one template of the control plane, and says for all of them who sees them.',
  'nodegrouptemplate:get_all_in_clustertemplate':
    'The cluster template must be one that the caller can see. A full page carries the address of the `next` one.',
  'nodegrouptemplate:update':
    'May change every attribute but `cluster_template_id`. Values are any JSON, `add` and `replace` both set, and `remove` or null opens an attribute. To set `public` or `hidden`, the rule nodegrouptemplate:publish must allow it; within a cluster template they are set there.',
  'certificate:create':
    'Certificates are for the user who made the cluster, since they make anyone its administrator; an operator can extend that to the project.',
  'quota:update': 'Only `hard_limit` is read from the body; the path says whose limit it is.',
};

/** Attributes that every request must carry although a later check, not the table, refuses one without. */
export const needed: Readonly<Record<string, readonly string[]>> = {
  'clustertemplate:create': ['coe'],
  'nodegroup:create': ['name'],
  'cluster:upgrade': ['cluster_template'],
  'certificate:create': ['cluster_uuid', 'csr'],
  'quota:create': ['project_id'],
};
