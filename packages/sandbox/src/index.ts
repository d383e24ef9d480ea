export * from './management-cluster/index.ts';
export * from './postgres/index.ts';
export * from './cloud/index.ts';
export * from './simulated-driver/index.ts';
