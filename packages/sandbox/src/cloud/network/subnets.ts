import type { FastifyInstance, FastifyRequest } from 'fastify';

import { callerOf } from '../http/caller.ts';
import type { Caller } from '../http/caller.ts';
import { bodyObject, optionalString, requiredString } from '../http/fields.ts';
import type { Cloud } from '../http/service.ts';
import { overlap, parseCidr } from './addresses.ts';
import { invalidInput, networkNotFound, ownerFor, refused, subnetNotFound } from './errors.ts';
import { chosenFields, listBody } from './list.ts';
import { mayChange, maySeeNetwork, maySeeSubnet, subnetView, touched } from './model.ts';
import type { Subnet, View } from './model.ts';
import type { NetworkState } from './state.ts';
import { changedSubnet, newSubnet } from './subnet-fields.ts';

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

  app.get(COLLECTION, async (request, reply) => {
    const views = subnets.filter((subnet) => visible(subnet, callerOf(request))).map(view);
    return reply.send(listBody('subnets', views, ATTRIBUTES, request, cloud));
  });

  app.get<ById>(`${COLLECTION}/:id`, async (request, reply) =>
    reply.send({
      subnet: chosenFields(view(find(request)), request),
    }),
  );

  app.post(COLLECTION, async (request, reply) => {
    const fields = bodyObject(request.body, 'subnet');
    const caller = callerOf(request);
    const networkId = requiredString(fields, 'network_id');
    const network = networks.get(networkId);
    if (network === undefined || !maySeeNetwork(network, caller)) throw networkNotFound(networkId);
    if (!mayChange(network, caller)) throw refused('create_subnet');
    ownerFor(caller, optionalString(fields, 'project_id'), 'create_subnet');
    const subnet = newSubnet(fields, network, cloud.now());
    refuseOverlap(subnet, state);
    await subnets.put(subnet.id, subnet);
    await touchNetwork(network.id);
    return reply.code(201).send({ subnet: view(subnet) });
  });

  app.put<ById>(`${COLLECTION}/:id`, async (request, reply) => {
    const subnet = findOwn(request, 'update_subnet');
    const fields = bodyObject(request.body, 'subnet');
    const changed = touched(changedSubnet(subnet, fields), cloud.now());
    await subnets.put(subnet.id, changed);
    return reply.send({ subnet: view(changed) });
  });

  app.delete<ById>(`${COLLECTION}/:id`, async (request, reply) => {
    const subnet = findOwn(request, 'delete_subnet');
    await subnets.delete(subnet.id);
    await touchNetwork(subnet.network_id);
    return reply.code(204).send();
  });
}

function refuseOverlap(subnet: Subnet, state: NetworkState): void {
  const block = parseCidr(subnet.cidr);
  const taken = state.subnetsOf(subnet.network_id).flatMap((other) => parseCidr(other.cidr) ?? []);
  if (block === undefined || !taken.some((other) => overlap(block, other))) return;
  throw invalidInput(
    `Requested subnet with cidr: ${subnet.cidr} for network: ${subnet.network_id} overlaps with another subnet.`,
  );
}
