export { generateKeyFileLine } from './key-file-syntax.ts';
export { loadOrCreateKeyFile, readKeyFile } from './key-file.ts';
export { KeyRing } from './key-ring.ts';
export { SealingError } from './sealing-error.ts';
