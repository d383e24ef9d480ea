import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface PlainAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Answers with JSON, or takes the response into its own hands to misbehave. */
export type Answerer = (request: SeenRequest, response: ServerResponse) => PlainAnswer | 'handled';

export interface TestServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** A service on a free local port that does what the test says and remembers what it was asked. */
export async function startTestServer(answer: Answerer): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const noted = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(noted);
      const outcome = answer(noted, response);
      if (outcome === 'handled') return;
      response.writeHead(outcome.status ?? 200, { 'content-type': 'application/json', ...outcome.headers });
      response.end(outcome.body === undefined ? undefined : JSON.stringify(outcome.body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
