export * from './postgres/index.ts';
export * from './cloud/index.ts';
