import type { Collection } from '../store/collection.ts';
import type { ObjectSpace } from '../store/object-space.ts';
import type { Network, Subnet } from './model.ts';

/** Neutron's objects, and the questions that need more than one kind of them. */
export class NetworkState {
  readonly networks: Collection<Network>;
  readonly subnets: Collection<Subnet>;

  constructor(objects: ObjectSpace) {
    this.networks = objects.collection('network.network');
    this.subnets = objects.collection('network.subnet');
  }

  subnetsOf(networkId: string): Subnet[] {
    return this.subnets.filter((subnet) => subnet.network_id === networkId);
  }

  subnetIdsOf(networkId: string): string[] {
    return this.subnetsOf(networkId).map((subnet) => subnet.id);
  }

  /** A physical network carries at most one flat network. */
  flatNetworkOn(physical: string): boolean {
    const uses = ({ provider }: Network): boolean =>
      provider.network_type === 'flat' && provider.physical_network === physical;
    return this.networks.find(uses) !== undefined;
  }
}
