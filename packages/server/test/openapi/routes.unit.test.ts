import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { registerOpenApi } from '../../src/openapi/routes.ts';
import type { Services } from '../../src/services.ts';

function appWith(publicUrl: string | null): FastifyInstance {
  const api = { publicUrl, trustProxyHeaders: false, host: '127.0.0.1', port: 9511 };
  const app = Fastify();
  registerOpenApi(app, { options: { api } } as unknown as Services);
  return app;
}

describe('the routes of the description', () => {
  it('serve the document with the address the client used', async () => {
    const app = appWith(null);
    for (const host of ['one.example:9511', 'two.example', 'two.example']) {
      const answer = await app.inject({ url: '/v1/openapi.json', headers: { host } });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: `http://${host}` }] });
    }
  });

  it('serve the page under a policy that lets nothing run and nothing be fetched', async () => {
    const answer = await appWith('https://k8s.example.org').inject({ url: '/v1/docs' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline';/,
    );
    expect(answer.body).toContain('https://k8s.example.org/v1/clusters');
  });
});
