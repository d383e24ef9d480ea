import { rootDocument, v1Document } from '../rest/resources/versions.ts';
import { errorReference } from './error-responses.ts';
import { exampleBase } from './examples/answers.ts';
import { versionHeaderRef } from './parameters.ts';
import { schemaRef, type OperationObject, type Schema } from './types.ts';

const links: Schema = { type: 'array', items: schemaRef('Link') };

const rootSchema: Schema = {
  type: 'object',
  required: ['name', 'versions'],
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    versions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          status: { type: 'string' },
          min_version: { type: 'string' },
          max_version: { type: 'string' },
          links,
        },
      },
    },
  },
};

const v1Schema: Schema = {
  type: 'object',
  required: ['id', 'links'],
  properties: { id: { type: 'string' }, media_types: { type: 'array', items: { type: 'object' } }, links },
  // One list of links for each collection.
  additionalProperties: links,
};

const documentSchema: Schema = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' } },
};

const healthSchema: Schema = {
  type: 'object',
  required: ['reasons'],
  properties: { detailed: { type: 'boolean' }, reasons: { type: 'array', items: { type: 'string' } } },
};

const healthy = {
  'text/plain': { schema: { type: 'string' }, example: 'OK' },
  'application/json': { schema: healthSchema, example: { detailed: false, reasons: ['OK'] } },
};

const ill = {
  'text/plain': { schema: { type: 'string' }, example: 'The database does not answer' },
  'application/json': {
    schema: healthSchema,
    example: { detailed: false, reasons: ['The database does not answer'] },
  },
};

/** What anyone may GET without a token; these stand outside the table of operations, which all know their caller. */
export const publicOperations: Readonly<Record<string, OperationObject>> = {
  '/': {
    operationId: 'getVersions',
    tags: ['discovery'],
    summary: 'Show which versions of the API there are',
    description: 'Clients read this before they log in.',
    security: [],
    parameters: [versionHeaderRef],
    responses: {
      200: {
        description: 'The versions.',
        content: { 'application/json': { schema: rootSchema, example: rootDocument(exampleBase) } },
      },
      406: errorReference(406),
    },
  },
  '/v1': {
    operationId: 'getVersion1',
    tags: ['discovery'],
    summary: 'Show the collections of version 1',
    description: 'Each collection with its addresses.',
    security: [],
    parameters: [versionHeaderRef],
    responses: {
      200: {
        description: 'The collections.',
        content: { 'application/json': { schema: v1Schema, example: v1Document(exampleBase) } },
      },
      406: errorReference(406),
    },
  },
  '/healthcheck': {
    operationId: 'getHealth',
    tags: ['discovery'],
    summary: 'Tell whether the service can work',
    description: 'For load balancers. A client that accepts JSON is answered in JSON, others in plain text.',
    security: [],
    responses: {
      200: { description: 'It can.', content: healthy },
      503: { description: 'It cannot, and why.', content: ill },
    },
  },
  '/v1/openapi.json': {
    operationId: 'getApiDocument',
    tags: ['extensions'],
    summary: 'Show this description for machines',
    description: 'OpenAPI 3.1, made from the tables that check requests.',
    security: [],
    responses: {
      200: {
        description: 'The description.',
        content: {
          'application/json': {
            schema: documentSchema,
            example: { openapi: '3.1.0', info: { title: 'Jeroboam' }, paths: {} },
          },
        },
      },
    },
  },
  '/v1/docs': {
    operationId: 'getDocs',
    tags: ['extensions'],
    summary: 'Show this description for people',
    description: 'One page without scripts.',
    security: [],
    responses: {
      200: {
        description: 'The page.',
        content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } },
      },
    },
  },
};
