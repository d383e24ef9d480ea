import type { Cloud } from '../http/service.ts';
import type { SeededIdentity } from '../identity/seed.ts';
import type { Collection } from '../store/collection.ts';
import type { Flavor } from './flavors.ts';
import { keypairId } from './keypairs.ts';
import type { Keypair } from './keypairs.ts';
import { fingerprint, publicKeyOfNobody } from './ssh-keys.ts';

const FLAVORS = [
  { id: '1', name: 'm1.tiny', vcpus: 1, ram: 512, disk: 1 },
  { id: '2', name: 'm1.small', vcpus: 2, ram: 2048, disk: 20 },
  { id: '3', name: 'm1.medium', vcpus: 2, ram: 4096, disk: 40 },
  { id: '4', name: 'm1.large', vcpus: 4, ram: 8192, disk: 80 },
  // Without a disk of its own a server has to boot from a volume.
  { id: '5', name: 'm1.zerodisk', vcpus: 2, ram: 4096, disk: 0 },
];

const KEYPAIRS = ['default', 'mykey', 'otherkey'];
const KEY_OWNERS = ['demo', 'admin', 'bob', 'reader'] as const;

export async function seedCompute(
  cloud: Cloud,
  flavors: Collection<Flavor>,
  keypairs: Collection<Keypair>,
  people: SeededIdentity,
): Promise<void> {
  const wantedFlavors = FLAVORS.map((flavor) => ({ seed: flavor.name, ...flavor }));
  await cloud.seeds.sow('compute.flavors', wantedFlavors, ({ seed: _seed, ...flavor }) =>
    flavors.put(flavor.id, {
      ...flavor,
      swap: 0,
      ephemeral: 0,
      isPublic: true,
      description: null,
      extraSpecs: {},
    }),
  );

  const wantedKeys = KEY_OWNERS.flatMap((owner) =>
    KEYPAIRS.map((name) => ({ seed: `${owner}/${name}`, owner, name })),
  );
  await cloud.seeds.sow('compute.keypairs', wantedKeys, async ({ owner, name }) => {
    const userId = people.users[owner];
    const publicKey = publicKeyOfNobody(`${owner}@sandbox`);
    await keypairs.put(keypairId(userId, name), {
      number: keypairs.all().length + 1,
      name,
      type: 'ssh',
      publicKey,
      fingerprint: fingerprint('ssh', publicKey),
      userId,
      createdAt: cloud.now(),
    });
  });
}
