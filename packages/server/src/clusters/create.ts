import { randomUUID } from 'node:crypto';
import {
  checkStorageDriver,
  clusterAttributes,
  drawName,
  Fault,
  inheritLabels,
  invalidField,
  parseBody,
  type Parsed,
} from '@jeroboam/domain';
import { enforce, ownScope, owningProject } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { Given } from '../given.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import type { ClusterTemplateRow } from '../store/index.ts';
import { checkCloudReferences } from '../templates/checks.ts';
import { findTemplateForUse } from '../templates/find.ts';
import { insertCluster, type NewCluster } from './insert.ts';
import { checkQuota } from './quota.ts';

/** The first microversion that knows groups without nodes, and that misses a template with 404. */
const zeroNodesMinor = 10;

export const zeroNodesRefused = (): Fault =>
  new Fault('not_supported', 'Resizing a nodegroup to zero is not supported in the provided microversion.', {
    field: 'node_count',
  });

export const allowsZeroNodes = (minor: number): boolean => minor >= zeroNodesMinor;

async function templateFor(
  services: Services,
  caller: Caller,
  parsed: Parsed,
  minor: number,
): Promise<ClusterTemplateRow> {
  try {
    return await findTemplateForUse(services.store.pool, parsed['cluster_template_id'], ownScope(caller));
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not_found' && minor < zeroNodesMinor) {
      throw new Fault('not_found', error.message, {
        status: 400,
        field: 'cluster_template_id',
        cause: error,
      });
    }
    throw error;
  }
}

/** What the request leaves open comes from the template. */
function inherit(given: Given, template: ClusterTemplateRow): NewCluster {
  const labels = given.labels('labels');
  const withLabels = labels !== null && Object.keys(labels).length > 0 ? labels : null;
  return {
    uuid: randomUUID(),
    name: given.text('name') ?? drawName('cluster', Math.random),
    template,
    keypair: given.text('keypair') ?? template.keypair_id,
    nodeCount: given.number('node_count') ?? 1,
    masterCount: given.number('master_count') ?? 1,
    dockerVolumeSize: given.number('docker_volume_size') ?? template.docker_volume_size,
    labels: inheritLabels(template.labels, withLabels, given.flag('merge_labels') ?? false),
    masterFlavorId: given.text('master_flavor_id') ?? template.master_flavor_id,
    flavorId: given.text('flavor_id') ?? template.flavor_id,
    createTimeout: given.has('create_timeout') ? given.number('create_timeout') : 60,
    discoveryUrl: given.text('discovery_url'),
    fixedNetwork: given.text('fixed_network') ?? template.fixed_network,
    fixedSubnet: given.text('fixed_subnet') ?? template.fixed_subnet,
    // Absent: as the template; an explicit null: as if there were none.
    floatingIpEnabled: given.has('floating_ip_enabled')
      ? (given.flag('floating_ip_enabled') ?? true)
      : template.floating_ip_enabled,
    masterLbEnabled: given.has('master_lb_enabled')
      ? (given.flag('master_lb_enabled') ?? false)
      : template.master_lb_enabled,
  };
}

/** Creates a cluster: all checks first, then cluster, default groups and the work itself in one transaction. */
export async function createCluster(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  body: unknown,
  minor: number,
): Promise<string> {
  const { options } = services;
  const parsed = parseBody(clusterAttributes, body);
  if (parsed['master_count'] === null) throw invalidField('master_count', null, 'Value should be an integer');
  if (parsed['node_count'] === 0 && !allowsZeroNodes(minor)) throw zeroNodesRefused();
  const template = await templateFor(services, caller, parsed, minor);
  const cluster = inherit(new Given(parsed), template);
  const type = { serverType: template.server_type, os: template.cluster_distro ?? '', coe: template.coe };
  options.drivers.providing(type);
  checkStorageDriver(template.docker_storage_driver, cluster.dockerVolumeSize);
  const refusal = options.drivers.forCluster(template.driver, type).validateMasterSize(cluster.masterCount);
  if (refusal !== null) throw new Fault('not_supported', refusal, { field: 'master_count' });

  enforce(options.policy, caller, 'cluster:create');
  const projectId = owningProject(caller);
  await checkQuota(services.store.database, projectId, options.maxClustersPerProject);
  if (template.hidden && !caller.isAdmin)
    throw new Fault('forbidden', 'Not authorized.', { field: 'cluster_template_id' });
  await checkCloudReferences(
    cloud,
    {
      image: template.image_id,
      flavors: [
        { ident: cluster.flavorId, field: 'flavor_id' },
        { ident: cluster.masterFlavorId, field: 'master_flavor_id' },
      ],
      externalNetwork: template.external_network_id,
      fixedNetwork: cluster.fixedNetwork,
      fixedSubnet: cluster.fixedSubnet,
      keypair: cluster.keypair,
      labels: cluster.labels,
    },
    options.defaultBootVolumeSize,
  );
  if (cluster.masterCount > 1 && !cluster.masterLbEnabled) {
    throw new Fault('invalid_input', 'master_count must be 1 when master_lb_enabled is False', {
      field: 'master_count',
    });
  }
  await insertCluster(services, { ...cluster, projectId, userId: caller.userId });
  return cluster.uuid;
}
