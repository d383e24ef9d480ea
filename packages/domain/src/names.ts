const greek = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'epsilon',
  'zeta',
  'eta',
  'theta',
  'iota',
  'kappa',
  'lambda',
  'mu',
  'nu',
  'xi',
  'omicron',
  'pi',
  'rho',
  'sigma',
  'tau',
  'upsilon',
  'phi',
  'chi',
  'psi',
  'omega',
] as const;

/** A name for what came without one: a Greek letter, a number from 1 to 24, and what it is. */
export function drawName(what: 'cluster' | 'template', random: () => number): string {
  const letter = greek[Math.floor(random() * greek.length)] ?? 'alpha';
  return `${letter}-${1 + Math.floor(random() * 24)}-${what}`;
}

/**
 * The name a driver's back end knows a cluster by: its own name, shortened, and twelve characters that make
 * it unique, since two clusters may share a name.
 */
export function drawStackName(clusterName: string, random: () => number): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const suffix = Array.from({ length: 12 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  const prefix = clusterName
    .slice(0, 30)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-');
  return `${prefix}-${suffix}`;
}
