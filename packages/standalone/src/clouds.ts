import { stringify } from 'yaml';

import type { startSandboxCloud } from '@jeroboam/sandbox';

export type SandboxUser = keyof Parameters<typeof startSandboxCloud>[0]['passwords'];

export const sandboxUsers: readonly SandboxUser[] = ['admin', 'demo', 'reader', 'bob', 'jeroboam'];

/** Someone who can use the cloud, under the name that the clouds file has for them. */
export interface CloudUser {
  cloud: string;
  username: SandboxUser;
  project: string;
}

export const cloudUsers: readonly CloudUser[] = [
  { cloud: 'jeroboam', username: 'demo', project: 'demo' },
  { cloud: 'jeroboam-admin', username: 'admin', project: 'admin' },
  { cloud: 'jeroboam-reader', username: 'reader', project: 'demo' },
  { cloud: 'jeroboam-second', username: 'bob', project: 'second' },
];

/** A clouds.yaml as every OpenStack client reads it. */
export function renderClouds(options: {
  authUrl: string;
  region: string;
  passwords: Record<SandboxUser, string>;
}): string {
  const clouds = Object.fromEntries(
    cloudUsers.map(({ cloud, username, project }) => [
      cloud,
      {
        auth: {
          auth_url: options.authUrl,
          username,
          password: options.passwords[username],
          project_name: project,
          user_domain_name: 'Default',
          project_domain_name: 'Default',
        },
        region_name: options.region,
        identity_api_version: 3,
        interface: 'public',
      },
    ]),
  );
  return `# Written at every start of Jeroboam.\n${stringify({ clouds })}`;
}
