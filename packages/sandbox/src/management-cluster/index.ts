export { ManagementClusterError } from './errors.ts';
export {
  startManagementCluster,
  type ManagementCluster,
  type ManagementClusterOptions,
} from './management-cluster.ts';
export { defaultCacheDirectory, ensureToolchain } from './toolchain.ts';
