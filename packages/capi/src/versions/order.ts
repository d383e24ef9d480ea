import { parseKubernetesVersion, type KubernetesVersion } from '@jeroboam/domain';
import { knownReleases } from './known-versions.ts';

/** With the v that Cluster API wants. */
export const asTag = (version: string): string => (version.startsWith('v') ? version : `v${version}`);

function parsed(version: string): KubernetesVersion {
  const parts = parseKubernetesVersion(version);
  if (parts === null) throw new Error(`"${version}" is no Kubernetes version such as v1.35.4.`);
  return parts;
}

/** Negative: the first is older. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [parsed(one), parsed(other)];
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** How many minor versions the second is ahead. */
export function minorsAhead(one: string, other: string): number {
  const [a, b] = [parsed(one), parsed(other)];
  return (b.major - a.major) * 1000 + b.minor - a.minor;
}

export const isKnownMinor = (version: string): boolean =>
  knownReleases.some((release) => minorsAhead(release, version) === 0);

/** What this driver knows, in words. */
export const knownRange = (): string => {
  const minors = knownReleases.map((release) => release.split('.').slice(0, 2).join('.'));
  return `${minors[0] ?? ''} to ${minors.at(-1) ?? ''}`;
};

/** The next version on the way: a control plane may be taken only one minor version further at a time. */
export function nextVersion(from: string, to: string): string {
  if (minorsAhead(from, to) <= 1) return to;
  const next = knownReleases.find((release) => minorsAhead(from, release) === 1);
  if (next === undefined)
    throw new Error(`No release of Kubernetes is known on the way from ${from} to ${to}.`);
  return next;
}
