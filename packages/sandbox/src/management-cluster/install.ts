import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  customResourceDefinitions,
  namespaces,
  type Kind,
  type KubeClient,
  type KubeObject,
} from '@jeroboam/kubernetes';
import { parseAllDocuments } from 'yaml';
import { managersNamespace, pkiDirectory, webhookPort } from './servers.ts';
import type { Toolchain } from './toolchain.ts';
import { providers, type Provider } from './tools.ts';

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

const documents = <T>(file: string): T[] =>
  parseAllDocuments(readFileSync(file, 'utf8'))
    .map((document) => document.toJS() as T | null)
    .filter((document) => document !== null);

interface Kustomization {
  resources?: string[];
  patches?: { path?: string }[];
}

interface CustomResource extends KubeObject {
  spec: { conversion?: { strategy?: string } } & Record<string, unknown>;
}

interface WebhookConfiguration extends KubeObject {
  webhooks: { clientConfig: { service?: { path: string }; url?: string; caBundle?: string } }[];
}

/** The custom resources of a provider, as they are to be in our cluster: labelled, and converted by its own webhook. */
function customResources(directory: string, provider: Provider, caBundle: string): CustomResource[] {
  const [kustomization] = documents<Kustomization>(path.join(directory, 'kustomization.yaml'));
  const files = (kustomization?.resources ?? [])
    .map((name) => path.join(directory, name))
    .filter((file) => existsSync(file) && statSync(file).isFile());
  const patches = (kustomization?.patches ?? []).flatMap(({ path: name }) =>
    name === undefined ? [] : documents<CustomResource>(path.join(directory, name)),
  );
  const converted = new Set(
    patches
      .filter(({ spec }) => spec?.conversion?.strategy === 'Webhook')
      .map(({ metadata }) => metadata.name),
  );
  const url = `https://127.0.0.1:${webhookPort(provider)}/convert`;
  return files
    .flatMap((file) => documents<CustomResource>(file))
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map((crd) => {
      const labelled = { ...crd.metadata, labels: { ...crd.metadata.labels, ...provider.labels } };
      const conversion = {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url, caBundle } },
      };
      return {
        apiVersion: crd.apiVersion,
        kind: crd.kind,
        metadata: labelled,
        spec: converted.has(crd.metadata.name) ? { ...crd.spec, conversion } : crd.spec,
      };
    });
}

/** The webhooks of a provider, reached on loopback instead of through a service; all providers call theirs the same. */
function webhooks(directory: string, provider: Provider, caBundle: string): WebhookConfiguration[] {
  return documents<WebhookConfiguration>(path.join(directory, 'manifests.yaml')).map((configuration) => ({
    ...configuration,
    metadata: { ...configuration.metadata, name: `${provider.name}-${configuration.metadata.name}` },
    webhooks: configuration.webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: {
        url: `https://127.0.0.1:${webhookPort(provider)}${webhook.clientConfig.service?.path ?? ''}`,
        caBundle,
      },
    })),
  }));
}

/** Installs Cluster API's resources and webhooks; doing it again changes nothing. */
export async function installClusterApi(
  client: KubeClient,
  toolchain: Toolchain,
  directory: string,
): Promise<void> {
  const caBundle = readFileSync(path.join(pkiDirectory(directory), 'ca.crt')).toString('base64');
  const apply = (kind: Kind, object: KubeObject): Promise<unknown> =>
    client.apply(kind, object, { fieldManager, force: true });
  for (const provider of providers) {
    const manifests = toolchain.manifests(provider.name);
    const crds = customResources(path.join(manifests, 'crd'), provider, caBundle);
    await Promise.all(crds.map((crd) => apply(customResourceDefinitions, crd)));
    for (const configuration of webhooks(path.join(manifests, 'webhook'), provider, caBundle)) {
      const kind = webhookKinds[configuration.kind];
      if (kind !== undefined) await apply(kind, configuration);
    }
  }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: managersNamespace } };
  await apply(namespaces, namespace);
}
