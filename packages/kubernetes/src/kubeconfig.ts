import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { KubeAccess } from './access.ts';

/** A kubeconfig that cannot be used, and what is wrong with it. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

interface Named {
  name?: unknown;
}

type Section = Record<string, unknown>;

const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entry of a list that bears a name. */
function entry(config: Section, list: string, name: string, member: string): Section {
  const items = Array.isArray(config[list]) ? (config[list] as unknown[]) : [];
  const found = items.find((item) => isSection(item) && (item as Named).name === name);
  const value = isSection(found) ? found[member] : undefined;
  if (!isSection(value)) throw new KubeconfigError(`the kubeconfig has no entry "${name}" in ${list}`);
  return value;
}

/** A value that stands in the file in base64, or in a file of its own. */
function secret(section: Section, name: string, directory: string): string | undefined {
  const inline = section[`${name}-data`];
  if (typeof inline === 'string') return Buffer.from(inline, 'base64').toString('utf8');
  const file = section[name];
  if (typeof file !== 'string') return undefined;
  try {
    return readFileSync(path.resolve(directory, file), 'utf8');
  } catch (error) {
    throw new KubeconfigError(`${name} of the kubeconfig cannot be read: ${(error as Error).message}`);
  }
}

const text = (section: Section, name: string): string | undefined =>
  typeof section[name] === 'string' ? section[name] : undefined;

const present = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

/** The current context of a kubeconfig. Plugins that print credentials are not run. */
export function parseKubeconfig(yaml: string, directory = '.'): KubeAccess {
  let config: unknown;
  try {
    config = parse(yaml);
  } catch (error) {
    throw new KubeconfigError(`the kubeconfig is no YAML: ${(error as Error).message}`);
  }
  if (!isSection(config)) throw new KubeconfigError('the kubeconfig is empty');
  const current = text(config, 'current-context');
  if (current === undefined) throw new KubeconfigError('the kubeconfig has no current-context');
  const context = entry(config, 'contexts', current, 'context');
  const cluster = entry(config, 'clusters', text(context, 'cluster') ?? '', 'cluster');
  const user = entry(config, 'users', text(context, 'user') ?? '', 'user');
  const server = text(cluster, 'server');
  if (server === undefined || !URL.canParse(server))
    throw new KubeconfigError('the cluster of the kubeconfig has no server');
  if (user['exec'] !== undefined || user['auth-provider'] !== undefined)
    throw new KubeconfigError('the kubeconfig asks for a program to log in: give a token or a certificate');
  const tokenFile = text(user, 'tokenFile');
  return present({
    server,
    certificateAuthority: secret(cluster, 'certificate-authority', directory),
    clientCertificate: secret(user, 'client-certificate', directory),
    clientKey: secret(user, 'client-key', directory),
    token:
      text(user, 'token') ??
      (tokenFile === undefined ? undefined : secret({ tokenFile }, 'tokenFile', directory)?.trim()),
    serverName: text(cluster, 'tls-server-name'),
    insecureSkipVerify: cluster['insecure-skip-tls-verify'] === true ? true : undefined,
  });
}

export function readKubeconfig(file: string): KubeAccess {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new KubeconfigError(`the kubeconfig cannot be read: ${(error as Error).message}`);
  }
  return parseKubeconfig(content, path.dirname(file));
}
