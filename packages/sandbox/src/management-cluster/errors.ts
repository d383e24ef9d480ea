/** Why there is no management cluster, in words for who runs the service. */
export class ManagementClusterError extends Error {
  override readonly name = 'ManagementClusterError';
}
