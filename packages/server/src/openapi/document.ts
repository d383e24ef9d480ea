import { operations } from '../rest/operations.ts';

/** An OpenAPI 3.1 document. */
export interface ApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, { summary: string }>>;
}

/** The API as an OpenAPI document; `base` is the address the client used. */
export function apiDocument(base: string): ApiDocument {
  const paths: ApiDocument['paths'] = {};
  for (const { method, path, summary } of operations) {
    const item = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {});
    item[method.toLowerCase()] = { summary };
  }
  return { openapi: '3.1.0', info: { title: 'Jeroboam', version: '0.1.0' }, servers: [{ url: base }], paths };
}
