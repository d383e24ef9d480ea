import { apiDocument } from '../../../src/openapi/document.ts';
import type { MediaType, OperationObject } from '../../../src/openapi/types.ts';

export const base = 'http://127.0.0.1:9511';
export const document = apiDocument(base);

export interface Placed {
  method: string;
  path: string;
  operation: OperationObject;
}

/** Every operation of the document with its place in it. */
export const placed: readonly Placed[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
);

/** What a reference within the document points at. */
export function resolve(ref: string): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
}

/** Every body that belongs to one operation, with where it stands; refusals are shared and stand elsewhere. */
export function describedBodies(): { where: string; media: MediaType }[] {
  const bodies = (where: string, content: Record<string, MediaType> = {}) =>
    Object.entries(content).map(([type, media]) => ({ where: `${where} ${type}`, media }));
  return placed.flatMap(({ operation: { operationId, requestBody, responses } }) => [
    ...bodies(`${operationId} request`, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, response]) =>
      '$ref' in response ? [] : bodies(`${operationId} ${status}`, response.content),
    ),
  ]);
}
