import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  configMaps,
  customResourceDefinitions,
  namespaces,
  type Condition,
  type Kind,
  type KubeClient,
  type KubeObject,
} from '@jeroboam/kubernetes';
import { customResources, renderingVersion, webhooks } from './manifests.ts';
import { managersNamespace, pkiDirectory, webhookPort } from './servers.ts';
import type { Toolchain } from './toolchain.ts';
import { providers } from './tools.ts';
import { until } from './until.ts';

const fieldManager = 'jeroboam-install';

const webhookKinds: Readonly<Record<string, Kind>> = Object.fromEntries(
  ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map((kind) => [
    kind,
    {
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      kind,
      plural: `${kind.toLowerCase()}s`,
      namespaced: false,
    },
  ]),
);

const marker = { name: 'jeroboam-installed', namespace: managersNamespace };

/** Installs Cluster API's resources and webhooks, where the same are not installed already. */
export async function installClusterApi(
  client: KubeClient,
  toolchain: Toolchain,
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
  const caBundle = readFileSync(path.join(pkiDirectory(directory), 'ca.crt')).toString('base64');
  const fingerprint = fingerprintOf(toolchain, caBundle);
  const installed = await client.get(configMaps, marker.name, marker.namespace);
  if (installed?.data?.['fingerprint'] === fingerprint) return;

  const apply = (kind: Kind, object: KubeObject): Promise<unknown> =>
    client.apply(kind, object, { fieldManager, force: true });
  await apply(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: managersNamespace } });
  for (const provider of providers) {
    const manifests = toolchain.manifests(provider.name);
    const crds = await customResources(path.join(manifests, 'crd'), provider, caBundle);
    await Promise.all(crds.map((crd) => apply(customResourceDefinitions, crd)));
    for (const configuration of webhooks(path.join(manifests, 'webhook'), provider, caBundle)) {
      const kind = webhookKinds[configuration.kind];
      if (kind !== undefined) await apply(kind, configuration);
    }
  }
  // A manager that looks for a kind that is not served yet gives up.
  await until('the custom resources', () => allEstablished(client), signal);
  await apply(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: marker, data: { fingerprint } });
}

function fingerprintOf(toolchain: Toolchain, caBundle: string): string {
  const parts = providers.map((provider) => [
    provider,
    toolchain.manifests(provider.name),
    webhookPort(provider),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([renderingVersion, parts, caBundle]))
    .digest('hex');
}

interface Definition extends KubeObject {
  status?: { conditions?: Condition[] };
}

async function allEstablished(client: KubeClient): Promise<boolean> {
  const { items } = await client.list<Definition, boolean>(
    customResourceDefinitions,
    {},
    ({ status }) =>
      status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false,
  );
  return items.every((established) => established);
}
