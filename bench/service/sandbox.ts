import { randomBytes } from 'node:crypto';
import type { SandboxUser } from '@jeroboam/sandbox';
import { end, forkScript, nextMessage } from './child.ts';

export interface CloudOrder {
  passwords: Record<SandboxUser, string>;
}

export interface CloudAddresses {
  identityUrl: string;
  /** Of the measured caller. */
  project: string;
  user: string;
}

export interface CloudProcess extends CloudAddresses {
  pid: number;
  servicePassword: string;
  /** A new token of the measured caller. */
  token(): Promise<string>;
  end(): Promise<void>;
}

const draw = (): string => randomBytes(18).toString('base64url');

export async function startCloudProcess(): Promise<CloudProcess> {
  const passwords = { admin: draw(), demo: draw(), reader: draw(), bob: draw(), jeroboam: draw() };
  const child = forkScript(new URL('sandbox-process.ts', import.meta.url));
  try {
    child.send({ passwords } satisfies CloudOrder);
    const addresses = await nextMessage<CloudAddresses>(child, 'the sandbox cloud', 30_000);
    return {
      ...addresses,
      pid: child.pid ?? 0,
      servicePassword: passwords.jeroboam,
      token: () => tokenFrom(addresses.identityUrl, passwords.demo),
      end: () => end(child, 'disconnect'),
    };
  } catch (error) {
    await end(child, 'disconnect');
    throw error;
  }
}

async function tokenFrom(identityUrl: string, password: string): Promise<string> {
  const domain = { id: 'default' };
  const answer = await fetch(`${identityUrl}/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      auth: {
        identity: { methods: ['password'], password: { user: { name: 'demo', domain, password } } },
        scope: { project: { name: 'demo', domain } },
      },
    }),
    signal: AbortSignal.timeout(10_000),
  });
  const token = answer.headers.get('x-subject-token');
  if (token === null)
    throw new Error(`the sandbox cloud gave no token: ${answer.status} ${await answer.text()}`);
  return token;
}
