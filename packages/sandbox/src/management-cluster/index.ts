export { ManagementClusterError } from './errors.ts';
export {
  kubeconfigIn,
  startManagementCluster,
  type ManagementCluster,
  type ManagementClusterOptions,
} from './management-cluster.ts';
export { managementClusterObstacle } from './obstacle.ts';
export { builtToolchain, defaultCacheDirectory, ensureToolchain } from './toolchain.ts';
