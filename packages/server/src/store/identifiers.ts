import { isStorableText } from '@jeroboam/domain';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const uuidLike = /^\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$/i;

/**
 * How an identifier of a URL or body is looked up: one that looks like a uuid only as such, and only in the
 * spelling it is stored in; anything else only as a name; what cannot be stored is not looked up at all.
 */
export function identKind(ident: string): 'uuid' | 'name' | 'nothing' {
  if (uuid.test(ident)) return 'uuid';
  return uuidLike.test(ident) || !isStorableText(ident) ? 'nothing' : 'name';
}

export const isUuid = (text: string): boolean => uuid.test(text);
