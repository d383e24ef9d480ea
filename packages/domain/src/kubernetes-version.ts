export interface KubernetesVersion {
  major: number;
  minor: number;
  patch: number;
}

/** A version such as v1.31.4; null for what is none. */
export function parseKubernetesVersion(text: string): KubernetesVersion | null {
  const parts = /^v?(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:[-+].*)?$/.exec(text);
  if (parts === null) return null;
  return { major: Number(parts[1]), minor: Number(parts[2]), patch: Number(parts[3]) };
}

/** Whether two texts name one version, with or without the v. */
export const isSameVersion = (one: string, other: string): boolean =>
  one.replace(/^v/, '') === other.replace(/^v/, '');

/** A kubelet may be so many minor versions older than its API server, and never newer. */
const oldestKubelet = 3;

/** Why nodes of a version cannot join a control plane of another; null when they can. */
export function skewRefusal(controlPlane: string, nodes: string): string | null {
  const [server, kubelet] = [parseKubernetesVersion(controlPlane), parseKubernetesVersion(nodes)];
  if (server === null || kubelet === null) return null;
  const ahead = (kubelet.major - server.major) * 1000 + kubelet.minor - server.minor;
  if (ahead > 0 || (ahead === 0 && kubelet.patch > server.patch))
    return `nodes of ${nodes} are newer than the control plane of ${controlPlane}: upgrade the control plane first`;
  if (-ahead > oldestKubelet)
    return `nodes of ${nodes} are more than ${oldestKubelet} minor versions older than the control plane of ${controlPlane}`;
  return null;
}
