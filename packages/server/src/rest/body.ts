import { Fault } from '@jeroboam/domain';
import { extensionType } from './extension.ts';

const jsonTypes = new Set([
  'application/json',
  'text/javascript',
  'application/javascript',
  'text/json',
  extensionType,
]);

/** Deeper bodies are no request of anyone; the limit keeps recursion over them safe. */
const maxDepth = 64;

/** The value of a JSON body. An empty body is none, whatever its type: clients send such with DELETE. */
export function readBody(raw: Buffer | undefined, contentType: string | undefined): unknown {
  if (raw === undefined || raw.length === 0) return undefined;
  const mimetype = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!jsonTypes.has(mimetype)) throw new Fault('unsupported_media_type', `Unknown mimetype: ${mimetype}`);
  let value: unknown;
  try {
    value = JSON.parse(raw.toString('utf8'));
  } catch (error) {
    throw new Fault('malformed_request', 'Request is not in valid JSON format', { cause: error });
  }
  if (isTooDeep(value, 0))
    throw new Fault('malformed_request', `Request is nested more than ${maxDepth} levels deep`);
  return value;
}

function isTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= maxDepth) return true;
  return Object.values(value).some((item) => isTooDeep(item, depth + 1));
}
