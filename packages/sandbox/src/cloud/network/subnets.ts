import type { FastifyInstance, FastifyRequest } from 'fastify';

import { callerOf } from '../http/caller.ts';
import type { Caller } from '../http/caller.ts';
import {
  bodyObject,
  lenientBoolean,
  optionalInteger,
  optionalString,
  optionalStrings,
  requiredString,
} from '../http/fields.ts';
import type { Fields } from '../http/fields.ts';
import type { Cloud } from '../http/service.ts';
import { newUuid } from '../ids.ts';
import { allocationPools, formatAddress, overlap, parseAddress, parseCidr } from './addresses.ts';
import type { Block } from './addresses.ts';
import { invalidInput, networkNotFound, ownerFor, refused, subnetNotFound } from './errors.ts';
import { chosenFields, listBody } from './list.ts';
import { mayChange, maySeeNetwork, maySeeSubnet, subnetView, touched } from './model.ts';
import type { Network, Subnet, View } from './model.ts';
import type { NetworkState } from './state.ts';

interface ById {
  Params: { id: string };
}

const COLLECTION = '/v2.0/subnets';

const ATTRIBUTES: ReadonlySet<string> = new Set([
  'id',
  'name',
  'tenant_id',
  'project_id',
  'network_id',
  'ip_version',
  'enable_dhcp',
  'gateway_ip',
  'cidr',
  'subnetpool_id',
  'description',
  'ipv6_ra_mode',
  'ipv6_address_mode',
  'router:external',
  'revision_number',
]);

export function subnetRoutes(app: FastifyInstance, cloud: Cloud, state: NetworkState): void {
  const { networks, subnets } = state;
  const view = (subnet: Subnet): View => subnetView(subnet, networks.get(subnet.network_id));
  const visible = (subnet: Subnet, caller: Caller): boolean =>
    maySeeSubnet(subnet, networks.get(subnet.network_id), caller);

  const find = (request: FastifyRequest<ById>): Subnet => {
    const subnet = subnets.get(request.params.id);
    if (subnet !== undefined && visible(subnet, callerOf(request))) return subnet;
    throw subnetNotFound(request.params.id);
  };

  const findOwn = (request: FastifyRequest<ById>, rule: string): Subnet => {
    const subnet = find(request);
    const caller = callerOf(request);
    if (!mayChange(subnet, caller) || !caller.roles.has('member')) throw refused(rule);
    return subnet;
  };

  const touchNetwork = async (id: string): Promise<void> => {
    const network = networks.get(id);
    if (network !== undefined) await networks.put(id, touched(network, cloud.now()));
  };

  app.get(COLLECTION, async (request) => {
    const views = subnets.filter((subnet) => visible(subnet, callerOf(request))).map(view);
    return listBody('subnets', views, ATTRIBUTES, request, cloud);
  });

  app.get<ById>(`${COLLECTION}/:id`, async (request) => ({
    subnet: chosenFields(view(find(request)), request),
  }));

  app.post(COLLECTION, async (request, reply) => {
    const fields = bodyObject(request.body, 'subnet');
    const caller = callerOf(request);
    const networkId = requiredString(fields, 'network_id');
    const network = networks.get(networkId);
    if (network === undefined || !maySeeNetwork(network, caller)) throw networkNotFound(networkId);
    if (!mayChange(network, caller)) throw refused('create_subnet');
    const subnet = newSubnet(fields, network, caller, cloud.now());
    refuseOverlap(subnet, state);
    await subnets.put(subnet.id, subnet);
    await touchNetwork(network.id);
    return reply.code(201).send({ subnet: view(subnet) });
  });

  app.put<ById>(`${COLLECTION}/:id`, async (request) => {
    const subnet = findOwn(request, 'update_subnet');
    const fields = bodyObject(request.body, 'subnet');
    const changed = touched(
      {
        ...subnet,
        name: optionalString(fields, 'name') ?? subnet.name,
        description: optionalString(fields, 'description') ?? subnet.description,
        enable_dhcp: lenientBoolean(fields, 'enable_dhcp') ?? subnet.enable_dhcp,
        dns_nameservers: optionalStrings(fields, 'dns_nameservers') ?? subnet.dns_nameservers,
      },
      cloud.now(),
    );
    await subnets.put(subnet.id, changed);
    return { subnet: view(changed) };
  });

  app.delete<ById>(`${COLLECTION}/:id`, async (request, reply) => {
    const subnet = findOwn(request, 'delete_subnet');
    await subnets.delete(subnet.id);
    await touchNetwork(subnet.network_id);
    return reply.code(204).send();
  });
}

function newSubnet(fields: Fields, network: Network, caller: Caller, now: number): Subnet {
  const project = ownerFor(caller, optionalString(fields, 'project_id'), 'create_subnet');
  if ((optionalInteger(fields, 'ip_version') ?? 4) !== 4) {
    throw invalidInput('the sandbox cloud has IPv4 subnets only, so ip_version must be 4.');
  }
  const text = requiredString(fields, 'cidr');
  const block = parseCidr(text);
  if (block === undefined) throw invalidInput(`'${text}' is not a valid IP subnet.`);
  const gateway = gatewayOf(fields, block);
  return {
    id: newUuid(),
    name: optionalString(fields, 'name') ?? '',
    // A subnet belongs to whoever owns the network, also when an administrator makes it.
    project_id: caller.isAdmin ? network.project_id : project,
    description: optionalString(fields, 'description') ?? '',
    tags: [],
    network_id: network.id,
    cidr: block.cidr,
    gateway_ip: gateway === undefined ? null : formatAddress(gateway),
    enable_dhcp: lenientBoolean(fields, 'enable_dhcp') ?? true,
    allocation_pools: allocationPools(block, gateway),
    dns_nameservers: optionalStrings(fields, 'dns_nameservers') ?? [],
    createdAt: now,
    updatedAt: now,
    revision: 0,
  };
}

/** The first address, unless another is given; `null` asks for none. */
function gatewayOf(fields: Fields, block: Block): number | undefined {
  if (fields['gateway_ip'] === null) return undefined;
  const text = optionalString(fields, 'gateway_ip');
  if (text === undefined) return block.first + 1;
  const gateway = parseAddress(text);
  if (gateway === undefined) throw invalidInput(`'${text}' is not a valid IP address.`);
  return gateway;
}

function refuseOverlap(subnet: Subnet, state: NetworkState): void {
  const block = parseCidr(subnet.cidr);
  const taken = state.subnetsOf(subnet.network_id).flatMap((other) => parseCidr(other.cidr) ?? []);
  if (block === undefined || !taken.some((other) => overlap(block, other))) return;
  throw invalidInput(
    `Requested subnet with cidr: ${subnet.cidr} for network: ${subnet.network_id} overlaps with another subnet.`,
  );
}
