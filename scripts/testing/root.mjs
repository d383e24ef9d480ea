import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the repository, wherever it was cloned to. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
