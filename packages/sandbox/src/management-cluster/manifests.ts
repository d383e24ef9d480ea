import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { KubeObject } from '@jeroboam/kubernetes';
import { parseAllDocuments } from 'yaml';
import { webhookPort } from './servers.ts';
import type { Provider } from './tools.ts';

/** To be raised when the same manifests are rendered otherwise than before. */
export const renderingVersion = 1;

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
export async function customResources(
  directory: string,
  provider: Provider,
  caBundle: string,
): Promise<CustomResource[]> {
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
  const found: CustomResource[] = [];
  for (const file of files) {
    found.push(...documents<CustomResource>(file));
    // A megabyte and a half of YAML is a second and a half, in a process that answers requests meanwhile.
    await breathe();
  }
  return found
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
export function webhooks(directory: string, provider: Provider, caBundle: string): WebhookConfiguration[] {
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
