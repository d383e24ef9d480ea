import type { KubeObject } from '@jeroboam/kubernetes';
import {
  capiControlPlaneLabel,
  clonedFromAnnotation,
  clusterLabel,
  deleteMachineAnnotation,
  nodeGroupLabel,
  renderedAnnotation,
} from '../markers.ts';
import type {
  HeldCluster,
  HeldCondition,
  HeldControlPlane,
  HeldDeployment,
  HeldInfrastructureCluster,
  HeldMachine,
  HeldMachineSet,
  HeldObject,
  Replicas,
} from './held.ts';

type Json = Readonly<Record<string, unknown>>;

/** Objects come from a server whose schema checked them; what is absent in them is simply not there yet. */
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Json)[name] : undefined),
    value,
  );

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const condition = (given: Json): HeldCondition => ({
  type: text(given['type']) ?? '',
  status: text(given['status']) ?? 'Unknown',
  reason: text(given['reason']),
  message: text(given['message']),
  changedAt: text(given['lastTransitionTime']),
});

export function keepObject(object: KubeObject): HeldObject {
  const { metadata } = object;
  return {
    kind: object.kind,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    uid: metadata.uid ?? '',
    resourceVersion: metadata.resourceVersion ?? '',
    cluster: metadata.labels?.[clusterLabel] ?? '',
    nodeGroup: metadata.labels?.[nodeGroupLabel] ?? null,
    rendered: metadata.annotations?.[renderedAnnotation] ?? null,
    clonedFrom: metadata.annotations?.[clonedFromAnnotation] ?? null,
    createdAt: metadata.creationTimestamp ?? null,
    deletingSince: metadata.deletionTimestamp ?? null,
    generation: metadata.generation ?? 0,
    observedGeneration: number(at(object.status, 'observedGeneration')),
    conditions: list(at(object.status, 'conditions')).map(condition),
  };
}

export function keepCluster(object: KubeObject): HeldCluster {
  const host = text(at(object.spec, 'controlPlaneEndpoint', 'host'));
  const port = number(at(object.spec, 'controlPlaneEndpoint', 'port'));
  return {
    ...keepObject(object),
    endpoint: host === null || port === 0 ? null : { host, port },
    infrastructureProvisioned: at(object.status, 'initialization', 'infrastructureProvisioned') === true,
    controlPlaneInitialized: at(object.status, 'initialization', 'controlPlaneInitialized') === true,
  };
}

export const keepInfrastructureCluster = (object: KubeObject): HeldInfrastructureCluster => ({
  ...keepObject(object),
  spec: object.spec ?? null,
});

const replicas = ({ spec, status }: KubeObject): Replicas => ({
  wanted: number(at(spec, 'replicas')),
  there: number(at(status, 'replicas')),
  upToDate: number(at(status, 'upToDateReplicas')),
  available: number(at(status, 'availableReplicas')),
});

export const keepControlPlane = (object: KubeObject): HeldControlPlane => ({
  ...keepObject(object),
  replicas: replicas(object),
  version: text(at(object.spec, 'version')),
  runningVersion: text(at(object.status, 'version')),
  machineTemplate: text(at(object.spec, 'machineTemplate', 'spec', 'infrastructureRef', 'name')),
});

const templates = (spec: unknown): Pick<HeldMachineSet, 'machineTemplate' | 'bootstrapTemplate'> => ({
  machineTemplate: text(at(spec, 'template', 'spec', 'infrastructureRef', 'name')),
  bootstrapTemplate: text(at(spec, 'template', 'spec', 'bootstrap', 'configRef', 'name')),
});

export const keepDeployment = (object: KubeObject): HeldDeployment => ({
  ...keepObject(object),
  replicas: replicas(object),
  version: text(at(object.spec, 'template', 'spec', 'version')),
  failureDomain: text(at(object.spec, 'template', 'spec', 'failureDomain')),
  ...templates(object.spec),
});

export const keepMachineSet = (object: KubeObject): HeldMachineSet => ({
  ...keepObject(object),
  ...templates(object.spec),
});

export const keepMachine = (object: KubeObject): HeldMachine => ({
  ...keepObject(object),
  version: text(at(object.spec, 'version')),
  providerId: text(at(object.spec, 'providerID')),
  failureDomain: text(at(object.spec, 'failureDomain')),
  nodeName: text(at(object.status, 'nodeRef', 'name')),
  phase: text(at(object.status, 'phase')) ?? 'Pending',
  addresses: list(at(object.status, 'addresses')).map((address) => ({
    type: text(address['type']) ?? '',
    address: text(address['address']) ?? '',
  })),
  chosenToGo: object.metadata.annotations?.[deleteMachineAnnotation] !== undefined,
  isControlPlane: object.metadata.labels?.[capiControlPlaneLabel] !== undefined,
});
