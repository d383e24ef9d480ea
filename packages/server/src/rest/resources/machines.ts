import type { ObservedMachine } from '@jeroboam/domain';
import { enforce, wideScope } from '../../access.ts';
import { driverOf } from '../../clusters/driver-of.ts';
import { findClusterWithGroups } from '../../clusters/find.ts';
import { groupAmong } from '../../clusters/find-node-group.ts';
import { desiredCluster } from '../../store/index.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';

const machineView = (machine: ObservedMachine): Record<string, unknown> => ({
  name: machine.name,
  nodegroup: machine.nodeGroup,
  role: machine.role,
  phase: machine.phase,
  deleting: machine.deleting,
  addresses: machine.addresses,
  kubernetes_version: machine.kubernetesVersion,
  provider_id: machine.providerId,
  node_name: machine.nodeName,
  zone: machine.zone,
  conditions: machine.conditions.map(({ changedAt, ...condition }) => ({
    ...condition,
    changed_at: changedAt,
  })),
  created_at: machine.createdAt,
  changed_at: machine.changedAt,
});

/** The machines of a cluster, or of one group of it, as the back end sees them now. */
async function list({ services, caller, params }: RequestContext): Promise<Answer> {
  const { options, store } = services;
  const scope = wideScope(options.policy, caller, 'cluster:get_one_all_projects');
  const cluster = await findClusterWithGroups(store.pool, params['cluster'] ?? '', scope);
  enforce(options.policy, caller, 'cluster:get', cluster);
  const ident = params['nodegroup'];
  const group = ident === undefined ? null : groupAmong(cluster.groups, ident);
  const machines = await driverOf(options.drivers, cluster).machines(desiredCluster(cluster, cluster.groups));
  const wanted = machines.filter(({ nodeGroup }) => group === null || nodeGroup === group.name);
  return {
    status: 200,
    body: { machines: wanted.toSorted((a, b) => a.name.localeCompare(b.name)).map(machineView) },
  };
}

const example = {
  name: 'prod-x2v-default-worker-7p4',
  nodegroup: 'default-worker',
  role: 'worker',
  phase: 'Running',
  deleting: false,
  addresses: [{ type: 'InternalIP', address: '10.0.0.14' }],
  kubernetes_version: '1.31.4',
  provider_id: 'openstack:///2b6c1d9e-0f57-4c1a-8f0e-3b1f4c5d6e7f',
  node_name: 'prod-x2v-default-worker-7p4',
  zone: 'nova',
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Ready',
      message: null,
      changed_at: '2026-11-15T09:31:02+00:00',
    },
  ],
  created_at: '2026-11-15T09:29:40+00:00',
  changed_at: '2026-11-15T09:31:02+00:00',
};

const text = { type: 'string' };
const maybe = { type: ['string', 'null'] };
const conditionProperties = { type: text, status: text, reason: maybe, message: maybe, changed_at: maybe };

const answers: Operation['answers'] = {
  status: 200,
  description: 'The machines.',
  schema: {
    kind: 'free',
    schema: {
      type: 'object',
      required: ['machines'],
      properties: {
        machines: {
          type: 'array',
          items: {
            type: 'object',
            required: Object.keys(example),
            properties: {
              name: text,
              nodegroup: text,
              role: text,
              phase: { ...text, description: "The back end's own word for how far it is." },
              deleting: { type: 'boolean', description: 'It is being removed.' },
              addresses: {
                type: 'array',
                items: { type: 'object', properties: { type: text, address: text } },
              },
              kubernetes_version: maybe,
              provider_id: { ...maybe, description: "The cloud's own identity of it." },
              node_name: { ...maybe, description: 'The name under which Kubernetes knows it.' },
              zone: maybe,
              conditions: {
                type: 'array',
                items: { type: 'object', properties: conditionProperties },
              },
              created_at: maybe,
              changed_at: { ...maybe, description: 'When anything about it last changed.' },
            },
          },
        },
      },
      examples: [{ machines: [example] }],
    },
  },
};

const common = { method: 'GET', rule: 'cluster:get', answers, handle: list } as const;

export const machineOperations: readonly Operation[] = [
  {
    ...common,
    path: '/v1/clusters/:cluster/machines',
    tag: 'clusters',
    id: 'listClusterMachines',
    summary: 'List the machines of a cluster',
    note: 'As the driver sees them at this moment, by name; empty where a driver knows of none.',
  },
  {
    ...common,
    path: '/v1/clusters/:cluster/nodegroups/:nodegroup/machines',
    tag: 'nodegroups',
    id: 'listNodeGroupMachines',
    summary: 'List the machines of a node group',
    note: 'As the driver sees them at this moment, by name; empty where a driver knows of none.',
  },
];
