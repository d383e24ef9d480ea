import type { FastifyInstance, FastifyRequest } from 'fastify';

import { callerOf } from '../http/caller.ts';
import type { Caller } from '../http/caller.ts';
import { bodyObject, lenientBoolean, optionalInteger, optionalString } from '../http/fields.ts';
import type { Fields } from '../http/fields.ts';
import type { Cloud } from '../http/service.ts';
import { newUuid } from '../ids.ts';
import { flatNetworkInUse, networkNotFound, ownerFor, refused } from './errors.ts';
import { chosenFields, listBody } from './list.ts';
import { mayChange, maySeeNetwork, networkView, touched } from './model.ts';
import type { Network, View } from './model.ts';
import type { NetworkState } from './state.ts';

interface ById {
  Params: { id: string };
}

const COLLECTION = '/v2.0/networks';
const TENANT_MTU = 1450;
const FLAT_MTU = 1500;

const ATTRIBUTES: ReadonlySet<string> = new Set([
  'id',
  'name',
  'tenant_id',
  'project_id',
  'admin_state_up',
  'mtu',
  'status',
  'shared',
  'router:external',
  'description',
  'port_security_enabled',
  'is_default',
  'vlan_transparent',
  'provider:network_type',
  'provider:physical_network',
  'provider:segmentation_id',
  'revision_number',
]);

export function networkRoutes(app: FastifyInstance, cloud: Cloud, state: NetworkState): void {
  const { networks } = state;

  const view = (network: Network, request: FastifyRequest): View =>
    networkView(network, state.subnetIdsOf(network.id), callerOf(request));

  const find = (request: FastifyRequest<ById>): Network => {
    const network = networks.get(request.params.id);
    if (network !== undefined && maySeeNetwork(network, callerOf(request))) return network;
    throw networkNotFound(request.params.id);
  };

  const findOwn = (request: FastifyRequest<ById>, rule: string): Network => {
    const network = find(request);
    const caller = callerOf(request);
    if (!mayChange(network, caller) || !caller.roles.has('member')) throw refused(rule);
    return network;
  };

  app.get(COLLECTION, async (request, reply) => {
    const caller = callerOf(request);
    const views = networks
      .filter((network) => maySeeNetwork(network, caller))
      .map((network) => view(network, request));
    return reply.send(listBody('networks', views, ATTRIBUTES, request, cloud));
  });

  app.get<ById>(`${COLLECTION}/:id`, async (request, reply) =>
    reply.send({
      network: chosenFields(view(find(request), request), request),
    }),
  );

  app.post(COLLECTION, async (request, reply) => {
    const network = newNetwork(bodyObject(request.body, 'network'), callerOf(request), cloud.now());
    const { network_type, physical_network } = network.provider;
    if (network_type === 'flat' && physical_network !== null && state.flatNetworkOn(physical_network)) {
      throw flatNetworkInUse(physical_network);
    }
    await networks.put(network.id, network);
    return reply.code(201).send({ network: { ...view(network, request), is_default: false } });
  });

  app.put<ById>(`${COLLECTION}/:id`, async (request, reply) => {
    const network = findOwn(request, 'update_network');
    const changed = touched(
      changedNetwork(network, bodyObject(request.body, 'network'), callerOf(request)),
      cloud.now(),
    );
    await networks.put(network.id, changed);
    return reply.send({ network: view(changed, request) });
  });

  app.delete<ById>(`${COLLECTION}/:id`, async (request, reply) => {
    const network = findOwn(request, 'delete_network');
    for (const subnetId of state.subnetIdsOf(network.id)) await state.subnets.delete(subnetId);
    await networks.delete(network.id);
    return reply.code(204).send();
  });
}

/** Who may see a network and what carries it is the administrators' decision. */
function requireAdminFor(fields: Fields, caller: Caller, rule: string): void {
  if (caller.isAdmin) return;
  if (lenientBoolean(fields, 'shared') === true) throw refused(`${rule}:shared`);
  if (lenientBoolean(fields, 'router:external') === true) throw refused(`${rule}:router:external`);
  const provider = Object.keys(fields).find((name) => name.startsWith('provider:'));
  if (provider !== undefined) throw refused(`${rule}:${provider}`);
}

function newNetwork(fields: Fields, caller: Caller, now: number): Network {
  const wanted = optionalString(fields, 'project_id') ?? optionalString(fields, 'tenant_id');
  const project = ownerFor(caller, wanted, 'create_network');
  requireAdminFor(fields, caller, 'create_network');
  const networkType = optionalString(fields, 'provider:network_type') ?? 'vxlan';
  return {
    id: newUuid(),
    name: optionalString(fields, 'name') ?? '',
    project_id: project,
    description: optionalString(fields, 'description') ?? '',
    tags: [],
    admin_state_up: lenientBoolean(fields, 'admin_state_up') ?? true,
    mtu: optionalInteger(fields, 'mtu', 68) ?? (networkType === 'vxlan' ? TENANT_MTU : FLAT_MTU),
    shared: lenientBoolean(fields, 'shared') ?? false,
    external: lenientBoolean(fields, 'router:external') ?? false,
    port_security_enabled: lenientBoolean(fields, 'port_security_enabled') ?? true,
    provider: {
      network_type: networkType,
      physical_network: optionalString(fields, 'provider:physical_network') ?? null,
      segmentation_id: optionalInteger(fields, 'provider:segmentation_id') ?? null,
    },
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
}

function changedNetwork(network: Network, fields: Fields, caller: Caller): Network {
  requireAdminFor(fields, caller, 'update_network');
  return {
    ...network,
    name: optionalString(fields, 'name') ?? network.name,
    description: optionalString(fields, 'description') ?? network.description,
    admin_state_up: lenientBoolean(fields, 'admin_state_up') ?? network.admin_state_up,
    mtu: optionalInteger(fields, 'mtu', 68) ?? network.mtu,
    shared: lenientBoolean(fields, 'shared') ?? network.shared,
    external: lenientBoolean(fields, 'router:external') ?? network.external,
    port_security_enabled: lenientBoolean(fields, 'port_security_enabled') ?? network.port_security_enabled,
  };
}
