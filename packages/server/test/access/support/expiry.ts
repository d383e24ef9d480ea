import { startSandboxCloud } from '@jeroboam/sandbox';

import type { TestService } from '../../support/test-service.ts';
import { logIn } from './people.ts';

const passwords = {
  admin: 'pw-admin',
  demo: 'pw-demo',
  reader: 'pw-reader',
  bob: 'pw-bob',
  jeroboam: 'pw-service',
};

/**
 * A token of demo's that ends so many milliseconds from now, or did so long ago. It comes from a second
 * Keystone on the same store whose clock is wrong by as much as its tokens live.
 */
export async function tokenEndingIn(service: TestService, milliseconds: number): Promise<string> {
  const lifetimeSeconds = 3600;
  const twin = await startSandboxCloud({
    host: '127.0.0.1',
    port: 0,
    store: service.store,
    passwords,
    tokenLifetimeSeconds: lifetimeSeconds,
    now: () => Date.now() - lifetimeSeconds * 1000 + milliseconds,
  });
  try {
    const scope = { project: { id: service.cloud.projects.demo } };
    return await logIn(service, 'demo', passwords.demo, scope, twin.identityUrl);
  } finally {
    await twin.close();
  }
}
