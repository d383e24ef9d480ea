import { randomUUID } from 'node:crypto';

/** Keystone writes its ids as 32 hexadecimal digits without dashes. */
export function newHexId(): string {
  return randomUUID().replaceAll('-', '');
}

export function newUuid(): string {
  return randomUUID();
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

export function looksLikeUuid(text: string): boolean {
  return UUID.test(text);
}
