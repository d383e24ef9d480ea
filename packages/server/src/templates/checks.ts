import {
  bootVolumeSize,
  checkCoe,
  checkNameservers,
  checkNetworkDriver,
  checkServerType,
  checkStorageDriver,
  checkVolumeDriver,
  Fault,
  type Labels,
  type NetworkDriverPolicy,
} from '@jeroboam/domain';
import type { CloudLookup } from '../cloud/lookup.ts';

/** The attributes of a template that rules and the cloud have a say in. */
export interface CheckedTemplate {
  coe?: unknown;
  server_type?: unknown;
  network_driver: string;
  volume_driver: string | null;
  docker_storage_driver: string | null;
  docker_volume_size: number | null;
  dns_nameserver: string | null;
}

/** What can be said without asking the cloud, in the order in which Magnum says it. */
export function checkTemplateRules(template: CheckedTemplate, networkDrivers: NetworkDriverPolicy): void {
  checkNameservers(template.dns_nameserver);
  checkServerType(template.server_type);
  checkCoe(template.coe);
  checkNetworkDriver(template.network_driver, networkDrivers);
  checkVolumeDriver(template.volume_driver);
  checkStorageDriver(template.docker_storage_driver, template.docker_volume_size);
}

/** Names of things in the cloud. A flavor that is undefined was not given and is not asked for. */
export interface CloudReferences {
  image: string | null;
  flavors: { ident: string | null | undefined; field: string }[];
  externalNetwork: string | null;
  fixedNetwork: string | null;
  fixedSubnet: string | null;
  keypair: string | null;
  labels: Labels;
}

/** Whether all that is named exists, asked side by side, complained about in Magnum's order. */
export async function checkCloudReferences(
  cloud: CloudLookup,
  refs: CloudReferences,
  defaultBootVolumeSize: number,
): Promise<void> {
  const bootVolume = bootVolumeSize(refs.labels, defaultBootVolumeSize);
  // Servers that boot from a volume get along without a flavor here: drivers have defaults.
  const flavors = refs.flavors
    .filter(({ ident }) => bootVolume === 0 || typeof ident === 'string')
    .map(({ ident, field }) => ({ field, asked: cloud.flavor(ident, field) }));
  const image = cloud.image(refs.image);
  const external = refs.externalNetwork === null ? null : cloud.externalNetwork(refs.externalNetwork);
  const network = refs.fixedNetwork === null ? null : cloud.fixedNetwork(refs.fixedNetwork);
  const subnet = refs.fixedSubnet === null ? null : cloud.fixedSubnet(refs.fixedSubnet);
  const keypair = refs.keypair === null ? null : cloud.keypair(refs.keypair);
  cloud.begin(image, external, network, subnet, keypair, ...flavors.map(({ asked }) => asked));

  for (const { asked, field } of flavors) {
    const flavor = await asked;
    if (bootVolume === 0 && flavor.diskGiB === 0) {
      const message = 'Flavor with zero root volume size is not supported when boot_volume_size is zero.';
      throw new Fault('not_supported', message, { field });
    }
  }
  await image;
  await external;
  await network;
  await subnet;
  await keypair;
}
