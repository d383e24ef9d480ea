import { randomUUID } from 'node:crypto';
import {
  bootVolumeSize,
  checkBounds,
  checkNodeLabels,
  checkNodeTaints,
  Fault,
  inheritLabels,
  invalidField,
  isDeleting,
  nodeGroupAttributes,
  parseBody,
  type Labels,
  type NodeTaint,
  type Parsed,
} from '@jeroboam/domain';
import { enforce, ownScope } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { Given } from '../given.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import type { ClusterRow } from '../store/index.ts';
import { acceptChange, beingDeleted } from './accept.ts';
import { findCluster } from './find.ts';

/** A group as it was accepted; the answer shows just this, and of the optional attributes only those asked for. */
export interface AcceptedNodeGroup {
  uuid: string;
  name: string;
  projectId: string;
  labels: Labels;
  flavorId: string | null;
  imageId: string | null;
  nodeCount: number;
  role: string;
  minNodeCount: number;
  maxNodeCount: number | null;
  dockerVolumeSize: number | null;
  nodeLabels: Labels;
  nodeTaints: NodeTaint[];
  given: ReadonlySet<string>;
}

function inherit(parsed: Parsed, cluster: ClusterRow): AcceptedNodeGroup {
  const given = new Given(parsed);
  const name = given.text('name');
  if (name === null) throw invalidField('name', null, 'Mandatory field missing.');
  if (parsed['node_count'] === null) throw invalidField('node_count', null, 'Value should be an integer');
  const role = given.text('role') ?? 'worker';
  if (role === 'master')
    throw new Fault('not_supported', 'Creating master nodegroups is currently not supported.', {
      field: 'role',
    });
  const nodeLabels = given.labels('node_labels') ?? {};
  return {
    uuid: randomUUID(),
    name,
    projectId: cluster.project_id,
    labels: inheritLabels(cluster.labels, given.labels('labels'), given.flag('merge_labels') ?? false),
    flavorId: given.text('flavor_id') ?? cluster.flavor_id,
    imageId: given.text('image_id') ?? cluster.image_id,
    nodeCount: given.number('node_count') ?? 1,
    role,
    minNodeCount: given.number('min_node_count') ?? 0,
    maxNodeCount: given.number('max_node_count'),
    dockerVolumeSize: given.number('docker_volume_size'),
    nodeLabels,
    nodeTaints: (parsed['node_taints'] as NodeTaint[] | null | undefined) ?? [],
    given: given.names(),
  };
}

const nameTaken = (name: string, cluster: ClusterRow): Fault =>
  new Fault('conflict', `A node group with name ${name} already exists in the cluster ${cluster.name}.`, {
    field: 'name',
  });

async function checkFlavor(services: Services, cloud: CloudLookup, group: AcceptedNodeGroup): Promise<void> {
  if (bootVolumeSize(group.labels, services.options.defaultBootVolumeSize) !== 0) return;
  const flavor = await cloud.flavor(group.flavorId, 'flavor_id');
  if (flavor.diskGiB === 0) {
    const message = 'Flavor with zero root volume size is not supported when boot_volume_size is zero.';
    throw new Fault('not_supported', message, { field: 'flavor_id' });
  }
}

/** Adds a group of workers to a cluster. */
export async function createNodeGroup(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  ident: string,
  body: unknown,
): Promise<{ cluster: ClusterRow; group: AcceptedNodeGroup }> {
  const { options, store } = services;
  const parsed = parseBody(nodeGroupAttributes, body);
  enforce(options.policy, caller, 'nodegroup:create');
  const cluster = await findCluster(store.pool, ident, ownScope(caller));
  if (cluster.api_address === null) throw new Fault('conflict', 'Cluster API address is not available yet');
  const group = inherit(parsed, cluster);
  checkBounds(group.name, group);
  checkNodeLabels(group.name, group.role, group.nodeLabels);
  checkNodeTaints(group.name, group.role, group.nodeTaints as unknown as Record<string, string>[]);
  await checkFlavor(services, cloud, group);
  if (isDeleting(cluster.status)) throw beingDeleted(cluster, 'Updating');

  await acceptChange(services, cluster, async (transaction) => {
    const inserted = await transaction
      .insertInto('nodegroup')
      .values({
        uuid: group.uuid,
        name: group.name,
        cluster_uuid: cluster.uuid,
        project_id: group.projectId,
        docker_volume_size: group.dockerVolumeSize,
        labels: JSON.stringify(group.labels),
        flavor_id: group.flavorId,
        image_id: group.imageId,
        node_addresses: '[]',
        node_count: group.nodeCount,
        role: group.role,
        min_node_count: group.minNodeCount,
        max_node_count: group.maxNodeCount,
        is_default: false,
        status: 'CREATE_IN_PROGRESS',
        node_labels: JSON.stringify(group.nodeLabels),
        node_taints: JSON.stringify(group.nodeTaints),
      })
      .onConflict((conflict) => conflict.columns(['cluster_uuid', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted === undefined) throw nameTaken(group.name, cluster);
    return {};
  });
  return { cluster, group };
}
