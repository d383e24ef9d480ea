/** A kind of objects, and where the API serves it. */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const path = (kind: Kind): string =>
  kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;

export const apiVersionOf = (kind: Kind): string =>
  kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;

/** Where the objects of a kind are: those of one namespace, or all of them. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const scope = kind.namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
  return `${path(kind)}${scope}/${kind.plural}`;
}

export function objectPath(kind: Kind, name: string, namespace?: string): string {
  if (kind.namespaced && namespace === undefined) throw new Error(`a ${kind.kind} needs a namespace`);
  return `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
}

const core = (kind: string, plural: string, namespaced: boolean): Kind => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});

/** Kinds of Kubernetes itself that several packages need. */
export const namespaces = core('Namespace', 'namespaces', false);
export const secrets = core('Secret', 'secrets', true);
export const configMaps = core('ConfigMap', 'configmaps', true);
export const nodes = core('Node', 'nodes', false);
export const customResourceDefinitions: Kind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
