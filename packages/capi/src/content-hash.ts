import { createHash } from 'node:crypto';

/** JSON with the members of every object in one order, so that equal content is equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const entries = Object.entries(member).filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Eight characters that stand for a content. */
export const contentHash = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 8);
