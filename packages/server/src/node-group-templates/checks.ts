import { bootVolumeSize, Fault, type GroupNetwork, type Labels, type RootVolume } from '@jeroboam/domain';
import type { CloudLookup } from '../cloud/lookup.ts';
import { checkVersion } from '../clusters/create.ts';
import { Refusals } from '../refusals.ts';
import { checkCloudReferences } from '../templates/checks.ts';

/** The attributes of a node-group template that the cloud has a say in; null is open. */
export interface CheckedNodeGroupTemplate {
  flavor_id: string | null;
  image_id: string | null;
  kubernetes_version: string | null;
  labels: Labels | null;
  root_volume: RootVolume | null;
  networks: readonly GroupNetwork[] | null;
}

/** Whether the cloud has what a template names. What does not change is not asked about again. */
export async function checkCloud(
  cloud: CloudLookup,
  name: string,
  template: CheckedNodeGroupTemplate,
  changes: (attribute: keyof CheckedNodeGroupTemplate) => boolean,
  settings: { defaultBootVolumeSize: number; refusals: Refusals },
): Promise<void> {
  const { refusals } = settings;
  const { flavor_id: flavor, image_id: image, networks } = template;
  let bootVolume = 0;
  await refusals.check(() => {
    bootVolume =
      template.root_volume?.size ?? bootVolumeSize(template.labels ?? {}, settings.defaultBootVolumeSize);
  });
  // Which flavors will do depends on what the nodes boot from.
  const asksFlavor = changes('flavor_id') || changes('root_volume') || changes('labels');
  await checkCloudReferences(
    cloud,
    {
      flavors: flavor !== null && asksFlavor ? [{ ident: flavor, field: 'flavor_id', bootVolume }] : [],
      images: image !== null && changes('image_id') ? [{ ident: image, field: 'image_id' }] : [],
      networks: changes('networks')
        ? (networks ?? []).map((network) => ({ ...network, field: 'networks' }))
        : [],
    },
    refusals,
  );
  if (!changes('image_id') && !changes('kubernetes_version')) return;
  const found = new Refusals({ all: true });
  await checkVersion(cloud, { ...template, name }, found);
  refusals.add(
    found.found.map(
      ({ kind, message, status }) => new Fault(kind, message, { field: 'kubernetes_version', status }),
    ),
  );
}
