/**
 * One release of every minor version that this driver can make: where an upgrade passes through a minor version,
 * this is the release it takes.
 */
export const knownReleases: readonly string[] = [
  'v1.28.15',
  'v1.29.15',
  'v1.30.14',
  'v1.31.14',
  'v1.32.10',
  'v1.33.6',
  'v1.34.2',
  'v1.35.4',
  'v1.36.3',
];
