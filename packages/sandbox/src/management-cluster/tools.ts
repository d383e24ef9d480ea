/** A program of the management cluster, built from the Go module beside this package. */
export interface Tool {
  readonly name: string;
  readonly package: string;
  /** What the linker writes into it. */
  readonly values?: readonly string[];
}

/** As in go.mod; the API server tells it to its clients, and would call itself v0.0.0 otherwise. */
const kubernetesVersion = 'v1.36.3';

const versioned = [
  `k8s.io/component-base/version.gitVersion=${kubernetesVersion}`,
  'k8s.io/component-base/version.gitMajor=1',
  'k8s.io/component-base/version.gitMinor=36',
];

/** Ours; what runs the others. */
export const boxTool: Tool = { name: 'box', package: './box' };

/** In the order in which they are built: what is needed first comes first. */
export const tools: readonly Tool[] = [
  boxTool,
  { name: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  { name: 'kube-apiserver', package: 'k8s.io/kubernetes/cmd/kube-apiserver', values: versioned },
  {
    name: 'kube-controller-manager',
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    values: versioned,
  },
  { name: 'capi-core', package: 'sigs.k8s.io/cluster-api/core' },
  { name: 'capi-kubeadm-bootstrap', package: 'sigs.k8s.io/cluster-api/bootstrap/kubeadm' },
  { name: 'capi-kubeadm-control-plane', package: 'sigs.k8s.io/cluster-api/controlplane/kubeadm' },
  { name: 'capi-dev', package: 'sigs.k8s.io/cluster-api/test/infrastructure/docker' },
];

/** A provider of Cluster API: where its manifests are, and what its custom resources must be labelled with. */
export interface Provider {
  readonly name: string;
  readonly tool: string;
  readonly module: string;
  readonly manifests: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Which versions of the contract a provider's resources speak; Cluster API finds their versions by that. */
const contract = { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/v1beta2': 'v1beta2' };
const capi = 'sigs.k8s.io/cluster-api';

export const providers: readonly Provider[] = [
  {
    name: 'core',
    tool: 'capi-core',
    module: capi,
    manifests: 'core/config',
    labels: { 'cluster.x-k8s.io/provider': 'cluster-api' },
  },
  {
    name: 'kubeadm-bootstrap',
    tool: 'capi-kubeadm-bootstrap',
    module: capi,
    manifests: 'bootstrap/kubeadm/config',
    labels: { ...contract, 'cluster.x-k8s.io/provider': 'bootstrap-kubeadm' },
  },
  {
    name: 'kubeadm-control-plane',
    tool: 'capi-kubeadm-control-plane',
    module: capi,
    manifests: 'controlplane/kubeadm/config',
    labels: { ...contract, 'cluster.x-k8s.io/provider': 'control-plane-kubeadm' },
  },
  {
    name: 'dev',
    tool: 'capi-dev',
    module: `${capi}/test`,
    manifests: 'infrastructure/docker/config',
    labels: { ...contract, 'cluster.x-k8s.io/provider': 'infrastructure-docker' },
  },
];
