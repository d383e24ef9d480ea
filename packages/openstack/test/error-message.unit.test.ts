import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorMessage } from '../src/http/error-message.ts';
import { recordedErrors } from './support/recorded.ts';

describe('the sentence of an error', () => {
  test.for([
    ['identity', 401, 'The request you have made requires authentication.'],
    ['compute', 401, 'The request you have made requires authentication.'],
    ['compute', 404, 'Flavor nope could not be found.'],
    ['compute', 403, "Policy doesn't allow os_compute_api:os-flavor-manage:create to be performed."],
    ['network', 409, 'Unable to create the flat network. Physical network ext is in use.'],
    ['image', 404, 'No image found with ID 00000000-0000-0000-0000-000000000000'],
  ] as const)('is what %s really said with its %i', ([service, status, sentence]) => {
    const recorded = recordedErrors.find((error) => error.service === service && error.status === status);
    expect(errorMessage(service, status, recorded?.body)).toBe(sentence);
  });

  test('is found in every recorded shape, in one line and without markup', () => {
    for (const { service, status, body } of recordedErrors) {
      const sentence = errorMessage(service, status, body);
      expect(sentence).not.toMatch(/without an explanation|[\n<>]/);
      expect(sentence.length).toBeGreaterThan(20);
    }
  });

  test.for([
    [
      { code: 404, title: 'Not Found', error: { message: 'The Stack (x) could not be found.' } },
      'The Stack (x) could not be found.',
    ],
    [{ code: 404, title: 'Not Found', description: 'Secret not found.' }, 'Secret not found.'],
  ] as const)('is found among the other members of %j', ([body, sentence]) => {
    expect(errorMessage('other', 404, body)).toBe(sentence);
  });

  test('is found in the list of errors that newer services send', () => {
    const body = { errors: [{ status: 404, title: 'Not Found', detail: 'No such allocation.' }] };
    expect(errorMessage('placement', 404, body)).toBe('No such allocation.');
  });

  test.for([null, undefined, 'text', 42, [], {}, { error: null }, { errors: [] }, { message: '  ' }])(
    'names the service and the status when the body %j explains nothing',
    (body) => {
      expect(errorMessage('network', 502, body)).toBe(
        'The network service answered 502 without an explanation.',
      );
    },
  );

  test('never repeats a secret, wherever the service echoes it', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9_-]{8,300}$/);
    fc.assert(
      fc.property(secret, fc.lorem(), fc.lorem({ maxCount: 200 }), (secret, before, after) => {
        const body = { error: { message: `${before} ${secret} ${after}` } };
        expect(errorMessage('identity', 400, body, [secret])).not.toContain(secret);
      }),
    );
  });

  test('stays short however much the service has to say', () => {
    expect(errorMessage('compute', 500, { message: 'x'.repeat(100_000) }).length).toBeLessThan(510);
  });
});
