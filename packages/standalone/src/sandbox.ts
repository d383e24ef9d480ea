import type { ObjectStore, SandboxCloud } from '@jeroboam/sandbox';
import { startSandboxCloud } from '@jeroboam/sandbox';
import type { Logger } from 'pino';

import { preferPort, requirePort } from './process/ports.ts';
import type { Passwords } from './secrets.ts';
import type { Settings } from './settings/index.ts';

export const sandboxRegion = 'RegionOne';

/** Starts the cloud beside the API; its usual port is the one above the API's. */
export async function openSandbox(parts: {
  settings: Settings;
  store: ObjectStore;
  passwords: Passwords;
  logger: Logger;
}): Promise<SandboxCloud> {
  const { host, port, sandboxPort } = parts.settings;
  if (sandboxPort !== undefined) await requirePort('the sandbox cloud', '--sandbox-port', host, sandboxPort);
  const log = parts.logger.child({ part: 'sandbox' });
  return startSandboxCloud({
    host,
    port: sandboxPort ?? (await preferPort(host, port === 0 ? 0 : port + 1)),
    store: parts.store,
    passwords: parts.passwords,
    region: sandboxRegion,
    logger: {
      info: (message) => log.info(message),
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
  });
}
