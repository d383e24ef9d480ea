import { createHash } from 'node:crypto';

import type { Cloud } from '../http/service.ts';
import type { SeededIdentity } from '../identity/seed.ts';
import type { Collection } from '../store/collection.ts';
import type { Image } from './model.ts';

const GIBIBYTE = 1024 ** 3;

interface SeedImage {
  /** Tells images of the same name apart. */
  seed: string;
  /** An id that recorded requests name; the others follow from the cloud's own salt. */
  id?: string;
  name: string;
  properties: Record<string, string>;
}

const IMAGES: readonly SeedImage[] = [
  {
    seed: 'ubuntu-1.31',
    id: '11111111-1111-4111-8111-111111111111',
    name: 'ubuntu-kube-v1.31',
    properties: { os_distro: 'ubuntu', kube_version: 'v1.31.4' },
  },
  {
    seed: 'ubuntu-1.32',
    name: 'ubuntu-kube-v1.32',
    properties: { os_distro: 'ubuntu', kube_version: 'v1.32.1' },
  },
  { seed: 'nodistro', name: 'nodistro', properties: {} },
  { seed: 'fedora-coreos', name: 'fedora-coreos', properties: { os_distro: 'fedora-coreos' } },
  { seed: 'dup-1', name: 'dup', properties: { os_distro: 'ubuntu' } },
  { seed: 'dup-2', name: 'dup', properties: { os_distro: 'ubuntu' } },
  // The name that the functional tests of openstacksdk expect.
  {
    seed: 'sdk',
    name: 'fedora-atomic-f23-dib',
    properties: { os_distro: 'ubuntu', kube_version: 'v1.31.4' },
  },
];

export async function seedImages(
  cloud: Cloud,
  images: Collection<Image>,
  people: SeededIdentity,
): Promise<void> {
  await cloud.seeds.sow('image.images', IMAGES, async ({ seed, id: known, name, properties }) => {
    const now = cloud.now();
    const id = known ?? cloud.seeds.id(`image/${seed}`);
    await images.put(id, {
      id,
      name,
      status: 'active',
      visibility: 'public',
      owner: people.projects.admin,
      size: 2 * GIBIBYTE,
      checksum: createHash('md5').update(seed).digest('hex'),
      os_hash_value: createHash('sha512').update(seed).digest('hex'),
      disk_format: 'qcow2',
      container_format: 'bare',
      min_disk: 0,
      min_ram: 0,
      protected: false,
      os_hidden: false,
      tags: [],
      createdAt: now,
      updatedAt: now,
      properties,
    });
  });
}
