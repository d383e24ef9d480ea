import type { Schema } from './types.ts';
import { schemaRef } from './types.ts';

/** Three shapes of errors, as OpenStack's clients know them from Magnum and from the token check before it. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  Error: {
    type: 'object',
    description: 'A refusal.',
    required: ['errors'],
    properties: {
      errors: { type: 'array', items: schemaRef('ErrorItem'), description: 'Always one.' },
    },
  },
  ErrorItem: {
    type: 'object',
    required: ['code', 'status', 'title', 'detail'],
    properties: {
      request_id: { type: 'string', description: 'Empty; the header X-OpenStack-Request-Id has it.' },
      code: { type: 'string', description: '`client`, `server` or empty.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      title: { type: 'string', description: 'The detail up to its first full stop.' },
      detail: {
        type: 'string',
        description: 'What is wrong, naming the attribute at fault where there is one.',
      },
      links: { type: 'array', items: schemaRef('Link'), description: 'Empty.' },
    },
  },
  UnsupportedVersion: {
    type: 'object',
    description: 'The microversion asked for is none of ours.',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        description: 'Always one.',
        items: {
          type: 'object',
          required: ['code', 'title', 'description', 'min_version', 'max_version'],
          properties: {
            code: { type: 'string', description: 'magnum.microversion-unsupported' },
            title: { type: 'string', description: 'The refusal in short.' },
            description: { type: 'string', description: 'The refusal with the versions there are.' },
            min_version: { type: 'string', description: 'The oldest version.' },
            max_version: { type: 'string', description: 'The newest version.' },
            links: {
              type: 'array',
              items: schemaRef('Link'),
              description: 'Where microversions are explained.',
            },
          },
        },
      },
    },
  },
  IdentityError: {
    type: 'object',
    description: 'The token was refused, or Keystone could not be asked about it.',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        description: 'The refusal.',
        required: ['code', 'title', 'message'],
        properties: {
          code: { type: 'integer', description: 'The HTTP status.' },
          title: { type: 'string', description: 'The status in words.' },
          message: { type: 'string', description: 'What is wrong.' },
        },
      },
    },
  },
};
