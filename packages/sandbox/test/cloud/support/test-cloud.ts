import { memoryObjectStore, startSandboxCloud } from '../../../src/cloud/index.ts';
import type {
  ObjectStore,
  SandboxCloud,
  SandboxCloudOptions,
  SandboxProject,
  SandboxUser,
} from '../../../src/cloud/index.ts';

/** A running cloud, with the calls that nearly every test makes. */
export interface TestCloud {
  cloud: SandboxCloud;
  passwords: Record<SandboxUser, string>;
  store: ObjectStore;
  /** A project token of one of the first users. */
  token: (user: SandboxUser) => Promise<string>;
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
}

export interface CallOptions {
  token?: string;
  /** The token that the request is about. */
  subject?: string;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The JSON that came back; tests say what they expect of it. */
  body: unknown;
}

const HOME: Record<SandboxUser, SandboxProject> = {
  admin: 'admin',
  demo: 'demo',
  reader: 'demo',
  bob: 'second',
  jeroboam: 'service',
};

const PASSWORDS: Record<SandboxUser, string> = {
  admin: 'admin-password',
  demo: 'demo-password',
  reader: 'reader-password',
  bob: 'bob-password',
  jeroboam: 'jeroboam-password',
};

export async function startTestCloud(options: Partial<SandboxCloudOptions> = {}): Promise<TestCloud> {
  const store = options.store ?? memoryObjectStore();
  const passwords = options.passwords ?? PASSWORDS;
  const cloud = await startSandboxCloud({ host: '127.0.0.1', port: 0, ...options, store, passwords });

  const call = async (
    method: string,
    path: string,
    { token, subject, body, raw, headers }: CallOptions = {},
  ) => {
    const sent = new Headers(headers);
    if (token !== undefined) sent.set('x-auth-token', token);
    if (subject !== undefined) sent.set('x-subject-token', subject);
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    if (content !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json');
    const response = await fetch(`${cloud.url}${path}`, { method, headers: sent, body: content });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };

  const token = async (user: SandboxUser): Promise<string> => {
    const answer = await call('POST', '/identity/v3/auth/tokens', {
      body: passwordAuth(user, passwords[user], { project: { id: cloud.projects[HOME[user]] } }),
    });
    return tokenFrom(answer);
  };

  return { cloud, passwords, store, token, call };
}

/** The body of a request for a token by password. */
export function passwordAuth(name: string, password: string, scope?: unknown): object {
  const user = { name, domain: { id: 'default' }, password };
  return {
    auth: { identity: { methods: ['password'], password: { user } }, ...(scope !== undefined && { scope }) },
  };
}

export function tokenFrom(answer: Answer): string {
  const token = answer.headers.get('x-subject-token');
  if (token === null) throw new Error(`no token came back: ${answer.status} ${JSON.stringify(answer.body)}`);
  return token;
}
