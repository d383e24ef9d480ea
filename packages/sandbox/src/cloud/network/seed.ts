import type { Cloud } from '../http/service.ts';
import type { SeededIdentity } from '../identity/seed.ts';
import { allocationPools, parseCidr } from './addresses.ts';
import type { Network, Subnet } from './model.ts';
import type { NetworkState } from './state.ts';

interface SeedNetwork {
  /** Tells networks of the same name apart. */
  seed: string;
  /** An id that recorded requests name; the others follow from the cloud's own salt. */
  id?: string;
  name: string;
  external: boolean;
  subnet?: { name: string; cidr: string; enable_dhcp: boolean };
}

const NETWORKS: readonly SeedNetwork[] = [
  {
    seed: 'public',
    id: '22222222-2222-4222-8222-222222222221',
    name: 'public',
    external: true,
    subnet: { name: 'public-subnet', cidr: '203.0.113.0/24', enable_dhcp: false },
  },
  {
    seed: 'private',
    name: 'private',
    external: false,
    subnet: { name: 'private-subnet', cidr: '10.0.0.0/24', enable_dhcp: true },
  },
  // Two of one name, for whoever has to tell that a name is not enough.
  { seed: 'dupnet-1', name: 'dupnet', external: false },
  { seed: 'dupnet-2', name: 'dupnet', external: false },
];

/** The administrators' networks: the way out, and others shared so that every project can put clusters on them. */
export async function seedNetworks(cloud: Cloud, state: NetworkState, people: SeededIdentity): Promise<void> {
  await cloud.seeds.sow('network.networks', NETWORKS, async ({ seed, id: known, name, external, subnet }) => {
    const id = known ?? cloud.seeds.id(`network/${seed}`);
    const now = cloud.now();
    const standard = {
      project_id: people.projects.admin,
      description: '',
      tags: [],
      createdAt: now,
      updatedAt: now,
    };
    const network: Network = {
      ...standard,
      id,
      name,
      // As if the subnet had been made after the network.
      revision: subnet === undefined ? 1 : 2,
      admin_state_up: true,
      mtu: external ? 1500 : 1450,
      shared: !external,
      external,
      port_security_enabled: true,
      provider: external
        ? { network_type: 'flat', physical_network: 'ext', segmentation_id: null }
        : {
            network_type: 'vxlan',
            physical_network: null,
            segmentation_id: 100 + state.networks.all().length,
          },
    };
    await state.networks.put(id, network);
    const block = parseCidr(subnet?.cidr ?? '');
    if (subnet === undefined || block === undefined) return;
    const record: Subnet = {
      ...standard,
      ...subnet,
      revision: 0,
      id: cloud.seeds.id(`subnet/${seed}`),
      network_id: id,
      gateway_ip: allocationPools(block, undefined)[0]?.start ?? null,
      allocation_pools: allocationPools(block, block.first + 1),
      dns_nameservers: [],
      host_routes: [],
    };
    await state.subnets.put(record.id, record);
  });
}
