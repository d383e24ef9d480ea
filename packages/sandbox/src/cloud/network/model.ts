import type { Caller } from '../http/caller.ts';
import { secondsZ } from '../times.ts';

/** What every resource of Neutron carries. */
export interface Standard {
  id: string;
  name: string;
  project_id: string;
  description: string;
  tags: string[];
  createdAt: number;
  updatedAt: number;
  revision: number;
}

export interface Network extends Standard {
  admin_state_up: boolean;
  mtu: number;
  shared: boolean;
  external: boolean;
  port_security_enabled: boolean;
  provider: { network_type: string; physical_network: string | null; segmentation_id: number | null };
}

export interface Subnet extends Standard {
  network_id: string;
  cidr: string;
  gateway_ip: string | null;
  enable_dhcp: boolean;
  allocation_pools: { start: string; end: string }[];
  dns_nameservers: string[];
  host_routes: { destination: string; nexthop: string }[];
}

export type View = Record<string, unknown>;

/** A network is seen by its project, and by everyone when it is shared or leads outside. */
export function maySeeNetwork(network: Network, caller: Caller): boolean {
  return mayChange(network, caller) || network.shared || network.external;
}

/** What leads outside shows itself, but not how it is addressed. */
export function maySeeSubnet(subnet: Subnet, network: Network | undefined, caller: Caller): boolean {
  return mayChange(subnet, caller) || network?.shared === true;
}

export function mayChange(item: Standard, caller: Caller): boolean {
  return caller.isAdmin || item.project_id === caller.projectId;
}

/** The next state of a resource that was changed: its revision and its time move with it. */
export function touched<T extends Standard>(item: T, now: number): T {
  return { ...item, updatedAt: now, revision: item.revision + 1 };
}

function standardView({ description, tags, createdAt, updatedAt, revision }: Standard): View {
  return {
    description,
    tags,
    created_at: secondsZ(createdAt),
    updated_at: secondsZ(updatedAt),
    revision_number: revision,
  };
}

export function networkView(network: Network, subnetIds: readonly string[], caller: Caller): View {
  return {
    id: network.id,
    name: network.name,
    tenant_id: network.project_id,
    project_id: network.project_id,
    admin_state_up: network.admin_state_up,
    mtu: network.mtu,
    status: 'ACTIVE',
    subnets: subnetIds,
    shared: network.shared,
    availability_zone_hints: [],
    availability_zones: [],
    ipv4_address_scope: null,
    ipv6_address_scope: null,
    'router:external': network.external,
    qinq: false,
    vlan_transparent: false,
    port_security_enabled: network.port_security_enabled,
    ...(network.external && { is_default: false }),
    ...(caller.isAdmin && {
      'provider:network_type': network.provider.network_type,
      'provider:physical_network': network.provider.physical_network,
      'provider:segmentation_id': network.provider.segmentation_id,
    }),
    ...standardView(network),
  };
}

export function subnetView(subnet: Subnet, network: Network | undefined): View {
  return {
    id: subnet.id,
    name: subnet.name,
    project_id: subnet.project_id,
    tenant_id: subnet.project_id,
    network_id: subnet.network_id,
    ip_version: 4,
    subnetpool_id: null,
    enable_dhcp: subnet.enable_dhcp,
    ipv6_ra_mode: null,
    ipv6_address_mode: null,
    gateway_ip: subnet.gateway_ip,
    cidr: subnet.cidr,
    allocation_pools: subnet.allocation_pools,
    host_routes: subnet.host_routes,
    dns_nameservers: subnet.dns_nameservers,
    'router:external': network?.external ?? false,
    service_types: [],
    ...standardView(subnet),
  };
}
