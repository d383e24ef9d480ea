import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { RunningService, Settings } from '@jeroboam/standalone';
import { defaults } from '@jeroboam/standalone';

export function makeDirectory(): { directory: string; remove(): void } {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'jeroboam-standalone-'));
  // As root, PostgreSQL runs as another user, who must get there.
  chmodSync(directory, 0o711);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Settings of a service that disturbs nobody: any free ports, no log, simulated clusters at once. */
export function quietSettings(changes: Partial<Settings> & Pick<Settings, 'dataDir'>): Settings {
  return {
    ...defaults(),
    port: 0,
    logLevel: 'silent',
    logFile: 'none',
    managementCluster: 'off',
    simulatedDriverDelay: 0,
    ...changes,
  };
}

/** Signs in as one of the clouds of the clouds file; answers a token. */
export async function signIn(
  service: Pick<RunningService, 'authUrl' | 'users'>,
  cloud: string,
): Promise<string> {
  const user = service.users.find((candidate) => candidate.cloud === cloud);
  if (user === undefined) throw new Error(`there is no cloud ${cloud}`);
  const domain = { name: 'Default' };
  const response = await fetch(`${service.authUrl}/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: user.username, password: user.password, domain } },
        },
        scope: { project: { name: user.project, domain } },
      },
    }),
  });
  const token = response.headers.get('x-subject-token');
  if (response.status !== 201 || token === null) throw new Error(`${cloud}: ${await response.text()}`);
  return token;
}
