import {
  isObject,
  lenientBoolean,
  optionalInteger,
  optionalList,
  optionalString,
  optionalStrings,
  requiredString,
} from '../http/fields.ts';
import type { Fields } from '../http/fields.ts';
import { newUuid } from '../ids.ts';
import { allocationPools, formatAddress, parseAddress, parseCidr } from './addresses.ts';
import type { Block } from './addresses.ts';
import { invalidInput } from './errors.ts';
import type { Network, Subnet } from './model.ts';

/** A subnet as a client asks for it. It belongs to whoever owns the network, also when an administrator makes it. */
export function newSubnet(fields: Fields, network: Network, now: number): Subnet {
  if ((optionalInteger(fields, 'ip_version') ?? 4) !== 4) {
    throw invalidInput('the sandbox cloud has IPv4 subnets only, so ip_version must be 4.');
  }
  const text = requiredString(fields, 'cidr');
  const block = parseCidr(text);
  if (block === undefined) throw invalidInput(`'${text}' is not a valid IP subnet.`);
  const gateway = fields['gateway_ip'] === undefined ? block.first + 1 : gatewayOf(fields);
  return {
    id: newUuid(),
    name: optionalString(fields, 'name') ?? '',
    project_id: network.project_id,
    description: optionalString(fields, 'description') ?? '',
    tags: [],
    network_id: network.id,
    cidr: block.cidr,
    gateway_ip: gateway === undefined ? null : formatAddress(gateway),
    enable_dhcp: lenientBoolean(fields, 'enable_dhcp') ?? true,
    allocation_pools: poolsOf(fields, block) ?? allocationPools(block, gateway),
    dns_nameservers: optionalStrings(fields, 'dns_nameservers') ?? [],
    host_routes: routesOf(fields) ?? [],
    createdAt: now,
    updatedAt: now,
    revision: 0,
  };
}

/** What may still be decided later; the addresses themselves may not. */
export function changedSubnet(subnet: Subnet, fields: Fields): Subnet {
  const block = parseCidr(subnet.cidr);
  const gateway = gatewayOf(fields);
  return {
    ...subnet,
    name: optionalString(fields, 'name') ?? subnet.name,
    description: optionalString(fields, 'description') ?? subnet.description,
    enable_dhcp: lenientBoolean(fields, 'enable_dhcp') ?? subnet.enable_dhcp,
    dns_nameservers: optionalStrings(fields, 'dns_nameservers') ?? subnet.dns_nameservers,
    host_routes: routesOf(fields) ?? subnet.host_routes,
    allocation_pools: (block && poolsOf(fields, block)) ?? subnet.allocation_pools,
    ...(fields['gateway_ip'] !== undefined && {
      gateway_ip: gateway === undefined ? null : formatAddress(gateway),
    }),
  };
}

/** `null` asks for none. */
function gatewayOf(fields: Fields): number | undefined {
  const text = optionalString(fields, 'gateway_ip');
  return text === undefined ? undefined : addressOf(text);
}

function addressOf(text: string): number {
  const address = parseAddress(text);
  if (address === undefined) throw invalidInput(`'${text}' is not a valid IP address.`);
  return address;
}

function poolsOf(fields: Fields, block: Block): Subnet['allocation_pools'] | undefined {
  return optionalList(fields, 'allocation_pools')?.map((pool) => {
    if (!isObject(pool)) throw invalidInput("each of 'allocation_pools' needs a 'start' and an 'end'.");
    const [start, end] = [requiredString(pool, 'start'), requiredString(pool, 'end')];
    const [first, last] = [addressOf(start), addressOf(end)];
    if (first > last || first < block.first || last > block.last) {
      throw invalidInput(`the allocation pool ${start}-${end} does not lie in ${block.cidr}.`);
    }
    return { start, end };
  });
}

function routesOf(fields: Fields): Subnet['host_routes'] | undefined {
  return optionalList(fields, 'host_routes')?.map((route) => {
    if (!isObject(route)) throw invalidInput("each of 'host_routes' needs a 'destination' and a 'nexthop'.");
    const [destination, nexthop] = [requiredString(route, 'destination'), requiredString(route, 'nexthop')];
    if (parseCidr(destination) === undefined) {
      throw invalidInput(`'${destination}' is not a valid IP subnet.`);
    }
    addressOf(nexthop);
    return { destination, nexthop };
  });
}
