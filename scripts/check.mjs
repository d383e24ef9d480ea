// `npm run check`: formatting, lint rules (import directions among them) and types, over the whole tree.

import { runChecks } from './testing/checks.mjs';

process.exitCode = (await runChecks()) === 0 ? 0 : 1;
