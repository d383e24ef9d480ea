// Builds the programs of a management cluster: `building-process.ts <go> <cache>`; a test starts it several times at once.

import { ensureToolchain } from '@jeroboam/sandbox';

const [, , go = '', cacheDirectory = ''] = process.argv;
await ensureToolchain({ go, cacheDirectory, progress: (line) => console.log(line) });
console.log('built');
