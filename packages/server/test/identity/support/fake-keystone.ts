import { createHttp } from '@jeroboam/openstack';
import type { Http } from '@jeroboam/openstack';

export interface FakeToken {
  user: { id: string; name: string };
  project?: { id: string; name: string };
  roles: string[];
  expiresAt: number;
  system?: boolean;
}

interface Question {
  readonly kind: 'authenticate' | 'validate';
  readonly subject: string | null;
}

const catalog = [
  {
    type: 'compute',
    name: 'nova',
    endpoints: [{ interface: 'public', region_id: 'RegionOne', url: 'http://compute.test/v2.1' }],
  },
];

const unauthorized = { error: { code: 401, message: 'The request you have made requires authentication.' } };

/** A Keystone in memory: the test gives and takes tokens, and reads what was asked. */
export class FakeKeystone {
  readonly questions: Question[] = [];
  readonly tokens = new Map<string, FakeToken>();
  readonly http: Http;
  /** `null` answers; otherwise every request fails in this way. */
  trouble: 'unreachable' | 403 | 500 | null = null;
  password = 'right';
  /** Holds validations back until it is called. */
  release: (() => void) | null = null;
  #held: Promise<void> | null = null;
  #issued = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.http = createHttp({
      retry: { attempts: 1 },
      fetch: (_input, init) => this.#answer(init?.method ?? 'GET', new Headers(init?.headers), init?.body),
    });
  }

  give(token: string, about: Partial<FakeToken> = {}): void {
    this.tokens.set(token, {
      user: { id: 'u1', name: 'demo' },
      project: { id: 'p1', name: 'demo' },
      roles: ['member', 'reader'],
      expiresAt: this.#now() + 3_600_000,
      ...about,
    });
  }

  /** What the service user holds is worth nothing from now on. */
  forgetServiceTokens(): void {
    for (const token of this.tokens.keys()) if (token.startsWith('service-')) this.tokens.delete(token);
  }

  hold(): void {
    this.#held = new Promise((resolve) => {
      this.release = () => {
        this.#held = null;
        resolve();
      };
    });
  }

  count(kind: Question['kind']): number {
    return this.questions.filter((question) => question.kind === kind).length;
  }

  async #answer(method: string, headers: Headers, body: unknown): Promise<Response> {
    const kind = method === 'POST' ? 'authenticate' : 'validate';
    this.questions.push({ kind, subject: headers.get('x-subject-token') });
    if (this.trouble === 'unreachable')
      throw new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
    if (kind === 'authenticate') return this.#authenticate(String(body));
    // Keystone judges the moment it is asked, however long the answer is on its way.
    const reply = this.#validate(headers.get('x-auth-token') ?? '', headers.get('x-subject-token') ?? '');
    await this.#held;
    return reply;
  }

  #authenticate(body: string): Response {
    if (this.trouble === 500) return Response.json({}, { status: 500 });
    if (!body.includes(`"password":"${this.password}"`)) return Response.json(unauthorized, { status: 401 });
    this.#issued += 1;
    const id = `service-${this.#issued}`;
    this.give(id, { user: { id: 'svc', name: 'magnum' } });
    return Response.json(this.#describe(id), { status: 201, headers: { 'x-subject-token': id } });
  }

  #validate(own: string, subject: string): Response {
    if (this.trouble !== null) {
      return Response.json({ error: { message: 'no' } }, { status: Number(this.trouble) });
    }
    if (!this.#isAlive(own)) return Response.json(unauthorized, { status: 401 });
    if (!this.#isAlive(subject)) return Response.json({ error: { message: 'gone' } }, { status: 404 });
    return Response.json(this.#describe(subject));
  }

  #isAlive(token: string): boolean {
    return (this.tokens.get(token)?.expiresAt ?? 0) > this.#now();
  }

  #describe(id: string): unknown {
    const token = this.tokens.get(id);
    const domain = { id: 'default', name: 'Default' };
    return {
      token: {
        user: { ...token?.user, domain },
        ...(token?.project === undefined ? {} : { project: { ...token.project, domain } }),
        ...(token?.system === true ? { system: { all: true } } : {}),
        roles: token?.roles.map((name) => ({ id: name, name })),
        expires_at: new Date(token?.expiresAt ?? 0).toISOString(),
        catalog,
      },
    };
  }
}
