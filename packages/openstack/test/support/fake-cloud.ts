import { createHttp, sessionForToken } from '@jeroboam/openstack';
import type { CatalogEntry, Http, Session } from '@jeroboam/openstack';

export interface FakeRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface FakeCloud {
  readonly http: Http;
  readonly session: Session;
  readonly requests: FakeRequest[];
}

const endpoint = (type: string): CatalogEntry => ({
  type,
  name: null,
  endpoints: [{ interface: 'public', region: 'RegionOne', url: `http://${type}.test` }],
});

/** Services without sockets: the test answers each request, everything above `fetch` is the real thing. */
export function fakeCloud(answer: (request: FakeRequest) => FakeAnswer): FakeCloud {
  const requests: FakeRequest[] = [];
  const http = createHttp({
    retry: { attempts: 1 },
    fetch: (input, init) => {
      const request: FakeRequest = {
        method: init?.method ?? 'GET',
        url: new URL(input instanceof Request ? input.url : input),
        headers: new Headers(init?.headers),
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      };
      requests.push(request);
      const { status = 200, headers = {}, body } = answer(request);
      return Promise.resolve(
        new Response(body === undefined ? null : JSON.stringify(body), { status, headers }),
      );
    },
  });
  const catalog = ['compute', 'image', 'network', 'identity'].map((type) => endpoint(type));
  return { http, session: sessionForToken({ token: 'callers-token', catalog }, { http }), requests };
}
