import { Fault, isDeleting, parseBody, upgradeAttributes, type DesiredChange } from '@jeroboam/domain';
import { sql, type Transaction } from 'kysely';
import { enforce, ownScope, wideScope } from '../access.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import {
  desiredCluster,
  nodeGroupsOf,
  type ClusterRow,
  type NodeGroupRow,
  type PendingTemplate,
  type Schema,
} from '../store/index.ts';
import { findTemplateForUse } from '../templates/find.ts';
import { acceptChange, beingDeleted, changeGroup } from './accept.ts';
import { driverOf } from './driver-of.ts';
import { driverRefusals } from './driver-refusals.ts';
import { findCluster } from './find.ts';
import { anyDefaultGroup, findNodeGroup } from './find-node-group.ts';

/** A cluster that never came to be has nothing to upgrade; one that failed later may try again. */
function checkUpgradable(cluster: ClusterRow): void {
  const never = cluster.status === 'CREATE_IN_PROGRESS' || cluster.status === 'CREATE_FAILED';
  if (never || isDeleting(cluster.status)) throw beingDeleted(cluster, 'Upgrading');
}

/** What nodes are moved to. */
interface Moved {
  image_id: string;
  kubernetes_version: string | null;
}

/**
 * Magnum's drivers move the whole cluster whichever default group is named: all groups that boot the cluster's image go
 * along. Asked of the rows as they are under the lock, before the cluster's own changes.
 */
async function moveFollowers(
  transaction: Transaction<Schema>,
  clusterUuid: string,
  moved: Moved,
): Promise<void> {
  await sql`
    update nodegroup g set image_id = ${moved.image_id}, kubernetes_version = case
      when g.kubernetes_version is not distinct from c.kubernetes_version then ${moved.kubernetes_version}
      else g.kubernetes_version end
    from cluster c where c.uuid = ${clusterUuid} and g.cluster_uuid = c.uuid and g.image_id = c.image_id`.execute(
    transaction,
  );
}

/** The same as a plan, for the driver to say what it thinks of it. */
async function plannedUpgrade(
  { store }: Services,
  cluster: ClusterRow,
  group: NodeGroupRow,
  moved: Moved,
): Promise<DesiredChange> {
  const groups = await nodeGroupsOf(store.pool, cluster.uuid);
  const follows = (each: NodeGroupRow): boolean => group.is_default && each.image_id === cluster.image_id;
  const after = groups.map((each) => {
    if (each.uuid === group.uuid) return { ...each, ...moved };
    if (!follows(each)) return each;
    const own = each.kubernetes_version !== cluster.kubernetes_version;
    return { ...each, ...moved, ...(own ? { kubernetes_version: each.kubernetes_version } : {}) };
  });
  return {
    before: desiredCluster(cluster, groups),
    after: desiredCluster(group.is_default ? { ...cluster, ...moved } : cluster, after),
  };
}

/** Moves a cluster, or one more group of it, to what a template says. */
export async function upgradeCluster(
  services: Services,
  caller: Caller,
  ident: string,
  body: unknown,
): Promise<string> {
  const { options, store } = services;
  const parsed = parseBody(upgradeAttributes, body);
  const cluster = await findCluster(
    store.pool,
    ident,
    wideScope(options.policy, caller, 'cluster:upgrade_all_projects'),
  );
  enforce(options.policy, caller, 'cluster:upgrade', cluster);
  const template = await findTemplateForUse(
    store.pool,
    parsed['cluster_template'],
    caller.isAdmin ? { everything: true } : ownScope(caller),
  );
  const groupIdent = parsed['nodegroup'];
  const group =
    typeof groupIdent === 'string'
      ? await findNodeGroup(store.pool, cluster.uuid, groupIdent)
      : await anyDefaultGroup(store.pool, cluster.uuid);
  if (!group.is_default && template.uuid !== cluster.cluster_template_id) {
    const message =
      `Cluster Template is not valid for upgrade: Nodegroup ${group.name} can be upgraded only to match ` +
      `cluster's template (${cluster.template_name ?? cluster.cluster_template_id}).`;
    throw new Fault('conflict', message, { field: 'cluster_template' });
  }
  const { image_id: image } = template;
  if (image === null)
    throw new Fault(
      'invalid_input',
      `ClusterTemplate ${template.uuid} leaves image_id open: nothing to upgrade to.`,
      {
        field: 'cluster_template',
      },
    );
  checkUpgradable(cluster);
  const driver = driverOf(options.drivers, cluster);
  if (!driver.capabilities.upgrade) {
    throw new Fault('not_supported', 'Cluster upgrade is not supported by this driver.');
  }
  // Without a version of its own the template leaves it to the image, and so must who comes to it.
  const moved: Moved = { image_id: image, kubernetes_version: template.kubernetes_version };
  const [refusal] = await driverRefusals(
    services,
    driver,
    await plannedUpgrade(services, cluster, group, moved),
  );
  if (refusal !== undefined) throw refusal;
  const pending: PendingTemplate = {
    uuid: template.uuid,
    name: template.name,
    labels: template.labels ?? {},
  };
  await acceptChange(
    services,
    cluster,
    async (transaction) => {
      await changeGroup(transaction, group, moved);
      if (!group.is_default) return {};
      await moveFollowers(transaction, cluster.uuid, moved);
      // Where the cluster comes from is recorded when it is there.
      return { pending_template: JSON.stringify(pending), ...moved };
    },
    {
      detail: {
        maxBatchSize: (parsed['max_batch_size'] as number | null | undefined) ?? 1,
        summary: `The upgrade to ${template.name ?? template.uuid}`,
      },
      caller,
    },
  );
  return cluster.uuid;
}
