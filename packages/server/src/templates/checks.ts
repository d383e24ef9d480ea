import {
  checkCoe,
  checkNameservers,
  checkNetworkDriver,
  checkServerType,
  checkStorageDriver,
  checkVolumeDriver,
  Fault,
  type NetworkDriverPolicy,
} from '@jeroboam/domain';
import type { CloudLookup } from '../cloud/lookup.ts';
import type { Refusals } from '../refusals.ts';

/** The attributes of a template that rules and the cloud have a say in. */
export interface CheckedTemplate {
  coe?: unknown;
  server_type?: unknown;
  network_driver: string | null;
  volume_driver: string | null;
  docker_storage_driver: string | null;
  docker_volume_size: number | null;
  dns_nameserver: string | null;
}

/** What can be said without asking the cloud, in the order in which Magnum says it. */
export async function checkTemplateRules(
  template: CheckedTemplate,
  networkDrivers: NetworkDriverPolicy,
  refusals: Refusals,
): Promise<void> {
  await refusals.check(() => checkNameservers(template.dns_nameserver));
  await refusals.check(() => checkServerType(template.server_type));
  await refusals.check(() => checkCoe(template.coe));
  await refusals.check(() => {
    if (template.network_driver !== null) checkNetworkDriver(template.network_driver, networkDrivers);
  });
  await refusals.check(() => checkVolumeDriver(template.volume_driver));
  await refusals.check(() => checkStorageDriver(template.docker_storage_driver, template.docker_volume_size));
}

/** A flavor that nodes would have. One that is undefined is to be taken away, and cannot be. */
export interface FlavorReference {
  ident: string | null | undefined;
  field: string;
  /** Gigabytes of the volume they boot from; 0: the flavor's own disk. */
  bootVolume: number;
}

/** Names of things in the cloud. */
export interface CloudReferences {
  flavors: readonly FlavorReference[];
  images: readonly { ident: string | null; field: string }[];
  externalNetwork?: string | null;
  fixedNetwork?: string | null;
  fixedSubnet?: string | null;
  keypair?: string | null;
  /** Of groups beside the cluster's own. */
  networks?: readonly { network: string; subnet?: string; field: string }[];
}

/** Whether all that is named exists, asked side by side, complained about in Magnum's order. */
export async function checkCloudReferences(
  cloud: CloudLookup,
  refs: CloudReferences,
  refusals: Refusals,
): Promise<void> {
  const asked: (() => Promise<unknown>)[] = [];
  const ask = <T>(asking: Promise<T>, then: (answer: T) => void = () => undefined): void => {
    cloud.begin(asking);
    asked.push(() => asking.then(then));
  };
  for (const { ident, field, bootVolume } of refs.flavors) {
    // Servers that boot from a volume get along without a flavor here: drivers have defaults.
    if (bootVolume !== 0 && typeof ident !== 'string') continue;
    ask(cloud.flavor(ident, field), (flavor) => {
      if (bootVolume !== 0 || flavor.diskGiB !== 0) return;
      const message = 'Flavor with zero root volume size is not supported when boot_volume_size is zero.';
      throw new Fault('not_supported', message, { field });
    });
  }
  for (const { ident, field } of refs.images) ask(cloud.image(ident, field));
  if (refs.externalNetwork != null) ask(cloud.externalNetwork(refs.externalNetwork));
  if (refs.fixedNetwork != null) ask(cloud.fixedNetwork(refs.fixedNetwork));
  if (refs.fixedSubnet != null) ask(cloud.fixedSubnet(refs.fixedSubnet));
  if (refs.keypair != null) ask(cloud.keypair(refs.keypair));
  for (const { network, subnet, field } of refs.networks ?? []) {
    ask(cloud.fixedNetwork(network, field));
    if (subnet !== undefined) ask(cloud.fixedSubnet(subnet, field));
  }
  for (const answer of asked) await refusals.check(answer);
}
