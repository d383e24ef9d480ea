export {
  DEFAULT_SIGNING_RULES,
  EXTENSION_OIDS,
  KEY_USAGE_NAMES,
  type SigningRules,
} from './certificates/index.ts';
export { createVault, type CertificateVault } from './certificates/vault.ts';
export type { ApiOptions, CertificateOptions, ServerOptions } from './options.ts';
export { compilePolicy, PolicyError, type Policy } from './policy/index.ts';
export {
  generateKeyFileLine,
  KeyRing,
  addPrimaryKey,
  loadOrCreateKeyFile,
  readKeyFile,
  SealingError,
} from './sealing/index.ts';
export { createServer, type Server } from './server.ts';
export { migrate, openStore, type Store } from './store/index.ts';
export { operations } from './rest/operations.ts';
export type { Operation } from './rest/operation.ts';
