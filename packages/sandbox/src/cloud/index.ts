export type { Fault, Faults } from './http/faults.ts';
export type { LoggedRequest, RequestLog } from './http/request-log.ts';
export type { CloudLogger } from './http/service.ts';
export type { SandboxProject, SandboxUser } from './identity/seed.ts';
export { startSandboxCloud } from './sandbox-cloud.ts';
export type { SandboxCloud, SandboxCloudOptions } from './sandbox-cloud.ts';
export { memoryObjectStore } from './store/object-store.ts';
export type { ObjectStore, StoredObject } from './store/object-store.ts';
export { postgresObjectStore } from './store/postgres-object-store.ts';
