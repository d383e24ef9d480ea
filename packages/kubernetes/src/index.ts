export type { KubeAccess } from './access.ts';
export {
  KubeClient,
  type ApplyOptions,
  type KubeRequest,
  type ListOptions,
  type ListResult,
} from './client.ts';
export * from './kinds.ts';
export { KubeconfigError, parseKubeconfig, readKubeconfig } from './kubeconfig.ts';
export { KubeError } from './kube-error.ts';
export type { Condition, KubeObject, ObjectMeta, OwnerReference } from './objects.ts';
export { watchKind, type Watch, type WatchHandler, type WatchOptions } from './watch.ts';
