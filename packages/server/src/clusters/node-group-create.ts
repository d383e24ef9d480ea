import {
  bootVolumeSize,
  clusterForGroups,
  Fault,
  invalidField,
  isDeleting,
  magnumNodeGroupRequest,
  nodeGroupAttributes,
  nodeGroupRequest,
  parseBody,
  resolveNodeGroup,
  skewContradictions,
  usesExtensions,
  type NodeGroupSpec,
  type Parsed,
  type ResolvedNodeGroup,
} from '@jeroboam/domain';
import type { Transaction } from 'kysely';
import { enforce, ownScope } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { dryRun as dryRunOf, type DryRun } from '../dry-run.ts';
import { Given } from '../given.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import { readGroupSources, type GroupSource } from '../sources/groups.ts';
import { desiredCluster, inSnapshot, nodeGroupsOf, type ClusterRow, type Schema } from '../store/index.ts';
import { checkCloudReferences } from '../templates/checks.ts';
import { acceptChange, beingDeleted } from './accept.ts';
import { driverOf } from './driver-of.ts';
import { driverRefusals } from './driver-refusals.ts';
import { checkVersion, type CreateRequest } from './create.ts';
import { findCluster } from './find.ts';
import { newGroupRow } from './insert.ts';
import { resolveSettings } from './resolve-request.ts';

/** A group as it was accepted; the answer shows just this, and of the optional attributes only those asked for. */
export interface AcceptedNodeGroup {
  uuid: string;
  projectId: string;
  spec: NodeGroupSpec;
  given: ReadonlySet<string>;
}

async function sourceOf(services: Services, caller: Caller, parsed: Parsed): Promise<GroupSource | null> {
  const [source] = await inSnapshot(services.store.pool, (reader) =>
    readGroupSources(reader, services, caller, [parsed], { template: null, cluster: null }),
  );
  return source ?? null;
}

/** The whole group that a request means. */
function resolveRequest(
  { options }: Services,
  parsed: Parsed,
  cluster: ClusterRow,
  source: GroupSource | null,
  extended: boolean,
): ResolvedNodeGroup {
  const name = new Given(parsed).text('name') ?? source?.name ?? null;
  if (name === null) throw invalidField('name', null, 'Mandatory field missing.');
  if (parsed['node_count'] === null && !extended)
    throw invalidField('node_count', null, 'Value should be an integer');
  const said = extended ? nodeGroupRequest(parsed) : magnumNodeGroupRequest(parsed);
  const origin = { kind: 'cluster', uuid: cluster.uuid, name: cluster.name } as const;
  return resolveNodeGroup(
    clusterForGroups(cluster, origin),
    source === null ? [] : [source.draft],
    { name, ...said },
    resolveSettings(options),
  );
}

const nameTaken = (name: string, cluster: ClusterRow): Fault =>
  new Fault('conflict', `A node group with name ${name} already exists in the cluster ${cluster.name}.`, {
    field: 'name',
  });

/** Adds a group of workers to a cluster. */
export async function createNodeGroup(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  ident: string,
  { body, dryRun, ...request }: CreateRequest,
): Promise<{ cluster: ClusterRow; group: AcceptedNodeGroup } | DryRun> {
  const { options, store } = services;
  const extended = request.extended || usesExtensions(nodeGroupAttributes, body);
  const parsed = parseBody(nodeGroupAttributes, body);
  enforce(options.policy, caller, 'nodegroup:create');
  const cluster = await findCluster(store.pool, ident, ownScope(caller));
  const refusals = new Refusals({ all: extended || dryRun });
  await refusals.check(() => {
    if (cluster.api_address === null) throw new Fault('conflict', 'Cluster API address is not available yet');
  });
  const source = extended ? await sourceOf(services, caller, parsed) : null;
  const { spec, origins, problems } = resolveRequest(services, parsed, cluster, source, extended);
  await refusals.check(() => {
    if (spec.role === 'master')
      throw new Fault('not_supported', 'Creating master nodegroups is currently not supported.', {
        field: 'role',
      });
  });
  refusals.add(problems.filter((problem) => extended || problem.kind === 'conflict'));
  refusals.add(skewContradictions(spec, cluster.kubernetes_version ?? cluster.coe_version));
  await checkCloud(cloud, spec, options.defaultBootVolumeSize, refusals, extended);
  refusals.add(problems);
  await refusals.check(() => {
    if (isDeleting(cluster.status)) throw beingDeleted(cluster, 'Updating');
  });
  const owner = { uuid: cluster.uuid, projectId: cluster.project_id };
  const row = newGroupRow(spec, owner, { isDefault: false });
  const groups = await nodeGroupsOf(store.pool, cluster.uuid);
  const added = { ...spec, uuid: row.uuid, is_default: false, status: 'CREATE_IN_PROGRESS' as const };
  refusals.add(
    await driverRefusals(services, driverOf(options.drivers, cluster), {
      before: desiredCluster(cluster, groups),
      after: desiredCluster(cluster, [...groups, added]),
    }),
  );
  if (dryRun) {
    await refusals.check(() => refuseTakenName(services, cluster, spec.name));
    return dryRunOf(spec, origins, refusals.found);
  }
  refusals.settle();

  const detail = { summary: `The addition of ${spec.name}` };
  const write = async (transaction: Transaction<Schema>): Promise<object> => {
    const inserted = await transaction
      .insertInto('nodegroup')
      .values(row)
      .onConflict((conflict) => conflict.columns(['cluster_uuid', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted === undefined) throw nameTaken(spec.name, cluster);
    return {};
  };
  await acceptChange(services, cluster, write, { detail, caller });
  const given = new Given(parsed).names();
  return { cluster, group: { uuid: row.uuid, projectId: cluster.project_id, spec, given } };
}

async function refuseTakenName({ store }: Services, cluster: ClusterRow, name: string): Promise<void> {
  const taken = await store.database
    .selectFrom('nodegroup')
    .select('id')
    .where('cluster_uuid', '=', cluster.uuid)
    .where('name', '=', name)
    .executeTakeFirst();
  if (taken !== undefined) throw nameTaken(name, cluster);
}

/** Whether the cloud has what the group names. Magnum asks for the flavor alone, and only where its disk matters. */
async function checkCloud(
  cloud: CloudLookup,
  spec: NodeGroupSpec,
  defaultBootVolumeSize: number,
  refusals: Refusals,
  extended: boolean,
): Promise<void> {
  let bootVolume = 0;
  await refusals.check(() => {
    bootVolume = spec.root_volume?.size ?? bootVolumeSize(spec.labels, defaultBootVolumeSize);
  });
  const named = spec.flavor_id !== null;
  const flavor = { ident: spec.flavor_id, field: 'flavor_id', bootVolume };
  const asksFlavor = extended ? named : bootVolume === 0;
  await checkCloudReferences(
    cloud,
    {
      flavors: asksFlavor ? [flavor] : [],
      images: extended && spec.image_id !== null ? [{ ident: spec.image_id, field: 'image_id' }] : [],
      networks: spec.networks.map((network) => ({ ...network, field: 'networks' })),
    },
    refusals,
  );
  if (extended) await checkVersion(cloud, spec, refusals);
}
