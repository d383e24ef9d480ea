export { ClusterApiDriver, driverAliases, driverName, type ClusterApiDriverOptions } from './driver.ts';
export { inMemoryInfrastructure, type StartupDurations } from './infrastructure/in-memory.ts';
export type { Argument, Infrastructure, NodeRegistration } from './infrastructure/infrastructure.ts';
export type { InfrastructureKinds } from './kinds.ts';
export * from './markers.ts';
export { renderCluster, type RenderOptions } from './render/render-cluster.ts';
export { inOrder, type Rendered, type RenderedCluster } from './render/rendered.ts';
export type { ImageVersion } from './versions/wanted.ts';
