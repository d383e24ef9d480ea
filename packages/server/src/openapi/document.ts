import { readFileSync } from 'node:fs';
import { operations } from '../rest/operations.ts';
import { componentSchemas } from './components.ts';
import { errorResponses } from './error-responses.ts';
import { pathTemplate, versionHeader } from './parameters.ts';
import { describeOperation } from './paths.ts';
import { description, summary, tags } from './prose.ts';
import { publicOperations } from './public-operations.ts';
import type { ApiDocument, PathItem } from './types.ts';

export type { ApiDocument } from './types.ts';

// The same distance from src/ and from dist/.
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

function paths(): Record<string, PathItem> {
  const items: Record<string, PathItem> = {};
  for (const operation of operations) {
    const item = (items[pathTemplate(operation.path)] ??= {});
    item[operation.method.toLowerCase()] = describeOperation(operation);
  }
  for (const [path, get] of Object.entries(publicOperations)) items[path] = { get };
  return items;
}

const build = (): Omit<ApiDocument, 'servers'> => ({
  openapi: '3.1.0',
  info: {
    title: 'Jeroboam',
    version,
    summary,
    description,
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  },
  security: [{ token: [] }],
  tags,
  paths: paths(),
  components: {
    schemas: componentSchemas(),
    parameters: { ApiVersion: versionHeader },
    headers: {
      ApiVersion: { description: 'The microversion that was used.', schema: { type: 'string' } },
      RequestId: {
        description: 'Names this request in the logs of the service.',
        schema: { type: 'string', pattern: '^req-' },
      },
    },
    responses: errorResponses(),
    securitySchemes: {
      token: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Auth-Token',
        description: 'A Keystone token: `openstack token issue -f value -c id`.',
      },
    },
  },
});

let built: Omit<ApiDocument, 'servers'> | undefined;

/** The API as an OpenAPI document; `base` is the address under which the client reached the service. */
export function apiDocument(base: string): ApiDocument {
  built ??= build();
  const { openapi, info, ...rest } = built;
  return { openapi, info, servers: [{ url: base }], ...rest };
}
