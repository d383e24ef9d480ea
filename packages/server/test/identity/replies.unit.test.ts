import { expect, test } from 'vitest';
import { identityUnavailableReply, unauthorizedReply } from '../../src/identity/index.ts';

test('a request without a good token gets the 401 that every OpenStack service gives', () => {
  const { statusCode, headers, body } = unauthorizedReply('http://127.0.0.1:22500/v3');
  expect(statusCode).toBe(401);
  expect(headers).toEqual({
    'content-type': 'application/json',
    'www-authenticate': 'Keystone uri="http://127.0.0.1:22500/v3"',
  });
  expect(JSON.parse(body)).toEqual({
    error: {
      code: 401,
      title: 'Unauthorized',
      message: 'The request you have made requires authentication.',
    },
  });
  // The length that Nova, Neutron and Cinder announce for theirs.
  expect(Buffer.byteLength(body)).toBe(114);
});

test('a request whose token nobody can judge gets a 503 of the same form, and is told when to come back', () => {
  const { statusCode, headers, body } = identityUnavailableReply();
  expect(statusCode).toBe(503);
  expect(headers).toEqual({ 'content-type': 'application/json', 'retry-after': '5' });
  expect(JSON.parse(body)).toMatchObject({ error: { code: 503, title: 'Service Unavailable' } });
});
