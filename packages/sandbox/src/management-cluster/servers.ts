import path from 'node:path';
import type { Program } from './box.ts';
import type { Toolchain } from './toolchain.ts';
import { providers, type Provider } from './tools.ts';

/** Ports within the box. Nobody else is there, so that they can be fixed. */
export const ports = { etcd: 2379, etcdPeer: 2380, api: 6443, controllerManager: 10257 } as const;

export const webhookPort = (provider: Provider): number => 9440 + providers.indexOf(provider);
export const healthPort = (provider: Provider): number => 9450 + providers.indexOf(provider);
const diagnosticsPort = (provider: Provider): number => 9460 + providers.indexOf(provider);

export interface Layout {
  /** Data, certificates, logs. */
  directory: string;
  toolchain: Toolchain;
  /** Whether writes reach the disk before they are acknowledged; tests need no such promise. */
  durable: boolean;
}

export const pkiDirectory = (directory: string): string => path.join(directory, 'pki');
export const adminKubeconfig = (directory: string): string => path.join(directory, 'admin.kubeconfig');

function program(
  layout: Layout,
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Program {
  return {
    name,
    path: layout.toolchain.program(name),
    arguments: args,
    environment,
    log: path.join(layout.directory, 'logs', `${name}.log`),
    // What it has acknowledged it must find again; nobody else keeps anything.
    last: name === 'etcd',
  };
}

export function etcd(layout: Layout): Program {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return program(layout, 'etcd', [
    `--data-dir=${path.join(layout.directory, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=warn',
    '--auto-compaction-retention=5m',
    ...(layout.durable ? [] : ['--unsafe-no-fsync']),
  ]);
}

export function apiServer(layout: Layout): Program {
  const pki = pkiDirectory(layout.directory);
  return program(layout, 'kube-apiserver', [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${ports.api}`,
    `--tls-cert-file=${pki}/apiserver.crt`,
    `--tls-private-key-file=${pki}/apiserver.key`,
    `--client-ca-file=${pki}/ca.crt`,
    `--service-account-issuer=https://127.0.0.1:${ports.api}`,
    `--service-account-key-file=${pki}/service-account.pub`,
    `--service-account-signing-key-file=${pki}/service-account.key`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=RBAC',
    '--endpoint-reconciler-type=none',
    // There are no pods and so no accounts for them.
    '--disable-admission-plugins=ServiceAccount',
    '--enable-priority-and-fairness=false',
  ]);
}

/** Collects what nothing owns any more, and empties namespaces; nothing else of it is needed. */
export function controllerManager(layout: Layout): Program {
  const kubeconfig = adminKubeconfig(layout.directory);
  return program(layout, 'kube-controller-manager', [
    // Under an account of its own it may not delete custom resources.
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.controllerManager}`,
    `--cert-dir=${path.join(layout.directory, 'controller-manager')}`,
    '--leader-elect=false',
    '--use-service-account-credentials=false',
    '--controllers=garbagecollector,namespace',
  ]);
}

const featureGates: Readonly<Record<string, string>> = {
  core: 'ClusterTopology=true,RuntimeSDK=true,InPlaceUpdates=true',
  'kubeadm-control-plane': 'ClusterTopology=true,InPlaceUpdates=true',
  dev: 'ClusterTopology=true',
};

export function manager(layout: Layout, provider: Provider): Program {
  const gates = featureGates[provider.name];
  return program(
    layout,
    provider.tool,
    [
      `--webhook-cert-dir=${pkiDirectory(layout.directory)}/webhook`,
      `--webhook-port=${webhookPort(provider)}`,
      `--health-addr=127.0.0.1:${healthPort(provider)}`,
      `--diagnostics-address=127.0.0.1:${diagnosticsPort(provider)}`,
      '--insecure-diagnostics=true',
      ...(gates === undefined ? [] : [`--feature-gates=${gates}`]),
    ],
    {
      KUBECONFIG: adminKubeconfig(layout.directory),
      POD_NAMESPACE: managersNamespace,
      POD_NAME: 'local',
      POD_UID: 'local',
      // Becomes the address of the API servers that the in-memory provider makes up.
      POD_IP: '127.0.0.1',
    },
  );
}

export const managersNamespace = 'capi-system';
