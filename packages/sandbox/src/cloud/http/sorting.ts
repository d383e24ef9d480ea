import { textOf } from './fields.ts';

export interface SortKey {
  key: string;
  descending: boolean;
}

/** Sorts views by several of their fields, absent values first, as the databases behind the real services do. */
export function sortBy<T extends object>(items: readonly T[], keys: readonly SortKey[]): T[] {
  return [...items].sort((left, right) => {
    for (const { key, descending } of keys) {
      const order = compare(field(left, key), field(right, key));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

function field(item: object, key: string): unknown {
  return Object.hasOwn(item, key) ? Reflect.get(item, key) : undefined;
}

function compare(left: unknown, right: unknown): number {
  if (left === right) return 0;
  if (left === undefined || left === null) return -1;
  if (right === undefined || right === null) return 1;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [a, b] = [textOf(left), textOf(right)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
