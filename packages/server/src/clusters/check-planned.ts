import {
  bootVolumeSize,
  checkVolumeDriver,
  Fault,
  groupField,
  inheritedBy,
  masterRole,
  skewContradictions,
  type NodeGroupSpec,
} from '@jeroboam/domain';
import type { CloudLookup } from '../cloud/lookup.ts';
import type { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import { desiredCluster } from '../store/index.ts';
import { checkCloudReferences, type CloudReferences } from '../templates/checks.ts';
import { allowsZeroNodes, checkVersion, zeroNodesRefused } from './create.ts';
import { driverOf } from './driver-of.ts';
import { driverRefusals } from './driver-refusals.ts';
import { clusterAfter, type PlannedChange, type PlannedGroup } from './planned-change.ts';
import type { Changes } from './spec-patch.ts';

/** What a plan is checked with. */
export interface PlanChecks {
  services: Services;
  cloud: CloudLookup;
  minor: number;
  refusals: Refusals;
  /** The name under which the request knows a group's attribute. */
  fieldOf: (group: NodeGroupSpec, attribute: string) => string;
}

/** Where the request for a cluster says something of a group. */
export const fieldInCluster = ({ name }: NodeGroupSpec, attribute: string): string =>
  inheritedBy(name)[attribute] ?? groupField(name, attribute);

const touches = (changes: Changes, ...names: string[]): boolean =>
  names.some((name) => Object.hasOwn(changes, name));

/** All that rules, the driver and the cloud have to say about a plan; only what changes is asked about. */
export async function checkPlanned(plan: PlannedChange, checks: PlanChecks): Promise<void> {
  const { refusals } = checks;
  await checkSizes(plan, checks);
  const after = clusterAfter(plan);
  await refusals.check(() => {
    if (touches(plan.changes, 'volume_driver')) checkVolumeDriver(after.volume_driver);
  });
  const references = await referencesOf(plan, checks);
  await checkCloudReferences(checks.cloud, references, refusals);
  for (const group of plan.groups) {
    if (touches(group.changes, 'image_id', 'kubernetes_version'))
      await checkVersion(checks.cloud, group.spec, refusals);
  }
  await checkSkew(plan, checks);
  refusals.add(await refusedByDriver(plan, checks));
}

/** What the driver says to the whole of it; of nothing it is not asked. */
async function refusedByDriver(
  { cluster, changes, groups }: PlannedChange,
  { services }: PlanChecks,
): Promise<readonly Fault[]> {
  if ([changes, ...groups.map((group) => group.changes)].every((own) => Object.keys(own).length === 0))
    return [];
  const changesOf = new Map(groups.map((group) => [group.row.uuid, group.changes]));
  const after = cluster.groups.map((row) => ({ ...row, ...changesOf.get(row.uuid) }));
  return driverRefusals(services, driverOf(services.options.drivers, cluster), {
    before: desiredCluster(cluster, cluster.groups),
    after: desiredCluster({ ...cluster, ...changes }, after),
  });
}

/** Whether a control plane can have another size is the driver's to say; some microversions know no empty group. */
async function checkSizes(
  plan: PlannedChange,
  { services, minor, refusals, fieldOf }: PlanChecks,
): Promise<void> {
  for (const { spec, changes } of plan.groups.filter((group) => touches(group.changes, 'node_count'))) {
    const field = fieldOf(spec, 'node_count');
    await refusals.check(() => {
      if (spec.role === masterRole) {
        const { drivers } = services.options;
        const refusal = driverOf(drivers, plan.cluster).validateMasterResize(spec.node_count);
        if (refusal !== null) throw new Fault('not_supported', refusal, { field });
      } else if (changes['node_count'] === 0 && !allowsZeroNodes(minor)) throw zeroNodesRefused();
    });
    if (spec.role !== masterRole || spec.node_count <= 1 || plan.cluster.master_lb_enabled) continue;
    const message = 'master_count must be 1 when master_lb_enabled is False';
    refusals.add([new Fault('invalid_input', message, { field })]);
  }
}

/** What is newly named in the cloud. */
async function referencesOf(
  { changes, groups }: PlannedChange,
  { services, refusals, fieldOf }: PlanChecks,
): Promise<CloudReferences> {
  const { defaultBootVolumeSize } = services.options;
  const flavors: CloudReferences['flavors'][number][] = [];
  for (const { spec, changes: own } of groups) {
    if (spec.flavor_id === null || !touches(own, 'flavor_id', 'labels', 'root_volume')) continue;
    await refusals.check(() => {
      const bootVolume = spec.root_volume?.size ?? bootVolumeSize(spec.labels, defaultBootVolumeSize);
      flavors.push({ ident: spec.flavor_id, field: fieldOf(spec, 'flavor_id'), bootVolume });
    });
  }
  const said = (name: string): string | null => (changes[name] as string | null | undefined) ?? null;
  for (const field of ['flavor_id', 'master_flavor_id']) {
    // No group may have it yet: those that do mind its disk as well.
    if (said(field) !== null) flavors.push({ ident: said(field), field, bootVolume: 1 });
  }
  const images = groups
    .filter(({ spec, changes: own }) => touches(own, 'image_id') && spec.image_id !== null)
    .map(({ spec }) => ({ ident: spec.image_id, field: fieldOf(spec, 'image_id') }));
  const image = said('image_id');
  return {
    flavors,
    images: [...(image === null ? [] : [{ ident: image, field: 'image_id' }]), ...images],
    keypair: said('keypair'),
    networks: groups
      .filter((group) => touches(group.changes, 'networks'))
      .flatMap(({ spec }) =>
        spec.networks.map((network) => ({ ...network, field: fieldOf(spec, 'networks') })),
      ),
  };
}

/** The version that the control plane would run: as said, else as its new image says, else as it was seen. */
async function controlPlaneVersion(
  plan: PlannedChange,
  masters: PlannedGroup | undefined,
  cloud: CloudLookup,
): Promise<string | null> {
  const said = masters?.spec.kubernetes_version ?? clusterAfter(plan).kubernetes_version;
  if (said !== null) return said;
  const image = masters?.spec.image_id ?? null;
  if (masters === undefined || image === null || !touches(masters.changes, 'image_id'))
    return plan.cluster.coe_version;
  const found = await cloud.image(image).catch((error: unknown) => {
    // It was complained about already.
    if (error instanceof Fault && error.status < 500) return null;
    throw error;
  });
  return found?.properties['kube_version'] ?? null;
}

/** A change of the control plane's version concerns all groups, one of a group's only that group. */
async function checkSkew(plan: PlannedChange, { cloud, refusals, fieldOf }: PlanChecks): Promise<void> {
  const masters = plan.groups.find(({ spec }) => spec.role === masterRole);
  const everybody = touches({ ...plan.changes, ...masters?.changes }, 'image_id', 'kubernetes_version');
  const concerned = plan.groups.filter(
    (group) => group !== masters && (everybody || touches(group.changes, 'kubernetes_version')),
  );
  if (concerned.length === 0) return;
  const version = await controlPlaneVersion(plan, masters, cloud);
  for (const { spec } of concerned) {
    const field = fieldOf(spec, 'kubernetes_version');
    const faults = skewContradictions(spec, version);
    refusals.add(faults.map(({ kind, message }) => new Fault(kind, message, { field })));
  }
}
