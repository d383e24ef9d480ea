import type { DesiredNodeGroup, NodeTaint } from '@jeroboam/domain';
import type { Argument } from '../infrastructure/infrastructure.ts';

type Labels = Readonly<Record<string, string>>;

const managedDomains = ['node-restriction.kubernetes.io', 'node.cluster.x-k8s.io'];

/** Whether Cluster API itself carries a label from machines to nodes, and so changes it without replacing them. */
export function isCarriedOver(key: string): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  if (domain === 'node-role.kubernetes.io') return true;
  return managedDomains.some((managed) => domain === managed || domain.endsWith(`.${managed}`));
}

const pick = (labels: Labels, wanted: (key: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([key]) => wanted(key))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

const isLabelValue = (text: string): boolean => /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(text);

/** Labels of machines that reach their nodes. Roles cannot be set by a kubelet, only this way. */
export const machineLabels = ({ role, nodeLabels }: DesiredNodeGroup): Record<string, string> => ({
  ...(isLabelValue(role) ? { [`node-role.kubernetes.io/${role}`]: '' } : {}),
  ...pick(nodeLabels, isCarriedOver),
});

/** All other labels: the kubelet gives them to its node when it registers. */
export function kubeletLabels({ name, role, nodeLabels }: DesiredNodeGroup): Argument[] {
  const known: Labels = { 'magnum.openstack.org/nodegroup': name, 'magnum.openstack.org/role': role };
  const labels = {
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => isLabelValue(value))),
    ...pick(nodeLabels, (key) => !isCarriedOver(key)),
  };
  const value = Object.entries(labels)
    .map(([key, text]) => `${key}=${text}`)
    .join(',');
  return value === '' ? [] : [{ name: 'node-labels', value }];
}

/** Taints as kubeadm takes them; an empty value is none. */
export const taintsOf = (taints: readonly NodeTaint[]): NodeTaint[] =>
  taints.map(({ key, effect, value }) => ({
    key,
    ...(value === undefined || value === '' ? {} : { value }),
    effect,
  }));
