export { generateKeyFileLine } from './key-file-syntax.ts';
export { addPrimaryKey, loadOrCreateKeyFile, readKeyFile } from './key-file.ts';
export { KeyRing } from './key-ring.ts';
export { MissingKeyError, SealingError } from './sealing-error.ts';
