import type { NodeTaint } from './driver.ts';
import { Fault } from './faults.ts';
import type { Labels } from './labels.ts';

const refusal = (attribute: string, group: string, explanation: string): Fault =>
  new Fault('conflict', `${attribute} for ${group} is invalid (${explanation}).`, { field: attribute });

export interface NodeCountBounds {
  nodeCount: number;
  minNodeCount: number;
  /** null and 0 both mean: no limit. */
  maxNodeCount: number | null;
}

/** Bounds must leave room for the nodes that are there. */
export function checkBounds(group: string, { nodeCount, minNodeCount, maxNodeCount }: NodeCountBounds): void {
  if (maxNodeCount !== null && maxNodeCount > 0) {
    if (minNodeCount > maxNodeCount) {
      const text = `min_node_count (${minNodeCount}) should be less or equal to max_node_count (${maxNodeCount})`;
      throw refusal('max_node_count', group, text);
    }
    if (nodeCount > maxNodeCount) {
      const text = `node_count (${nodeCount}) should be less or equal to max_node_count (${maxNodeCount})`;
      throw refusal('max_node_count', group, text);
    }
  }
  if (minNodeCount > nodeCount) {
    const text = `min_node_count (${minNodeCount}) should be less or equal to node_count (${nodeCount})`;
    throw refusal('min_node_count', group, text);
  }
}

/** A resize stays within the bounds of its group. */
export function checkResize(
  group: string,
  size: number,
  minNodeCount: number,
  maxNodeCount: number | null,
): void {
  const max = maxNodeCount !== null && maxNodeCount > 0 ? maxNodeCount : null;
  if (size >= minNodeCount && (max === null || size <= max)) return;
  const shownMax = maxNodeCount === null ? 'None' : String(maxNodeCount);
  const message = `Resizing ${group} outside the allowed range: min_node_count = ${minNodeCount}, max_node_count = ${shownMax}`;
  throw new Fault('invalid_input', message, { field: 'node_count' });
}

const allowedPrefixes = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const allowedLabels = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'node.kubernetes.io/windows-build',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
];

const isRestricted = (key: string): boolean => {
  const slash = key.indexOf('/');
  if (slash < 0 || allowedLabels.includes(key)) return false;
  const prefix = key.slice(0, slash);
  if (allowedPrefixes.includes(prefix)) return false;
  return ['kubernetes.io', 'k8s.io'].some((domain) => prefix === domain || prefix.endsWith(`.${domain}`));
};

/** Labels a kubelet may set on its own node: NodeRestriction lets it refuse to start on others. */
export function checkNodeLabels(group: string, role: string, labels: Labels): void {
  const keys = Object.keys(labels);
  if (keys.length > 0 && role === 'master')
    throw refusal('node_labels', group, 'node_labels are not supported for master nodegroups');
  const key = keys.find(isRestricted);
  if (key === undefined) return;
  const text =
    `node label '${key}' is in a restricted Kubernetes namespace; the kubelet will refuse to start. ` +
    `Labels in the kubernetes.io/ and k8s.io/ namespaces must use one of the allowed prefixes ` +
    `(${allowedPrefixes.join(', ')}) or be one of the allowed labels (${allowedLabels.join(', ')}).`;
  throw refusal('node_labels', group, text);
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Taints, each with a key, a known effect and perhaps a value. */
export function checkNodeTaints(
  group: string,
  role: string,
  taints: readonly Readonly<Record<string, string>>[],
): NodeTaint[] {
  if (taints.length > 0 && role === 'master')
    throw refusal('node_taints', group, 'node_taints are not supported for master nodegroups');
  return taints.map((taint, index) => {
    const { key, effect, value, ...others } = taint;
    const unknown = Object.keys(others)[0];
    if (unknown !== undefined)
      throw refusal('node_taints', group, `node_taints[${index}] has an unknown member '${unknown}'`);
    if (key === undefined || key === '')
      throw refusal('node_taints', group, `node_taints[${index}].key is required`);
    if (effect === undefined || !effects.includes(effect)) {
      throw refusal(
        'node_taints',
        group,
        `node_taints[${index}].effect must be one of ${effects.join(', ')}`,
      );
    }
    return value === undefined ? { key, effect } : { key, value, effect };
  });
}
