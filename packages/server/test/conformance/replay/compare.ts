import type { Answer } from './fixture.ts';
import { brief, isObject, member } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { levelOut } from './normalise.ts';

/** From the gravest down: another status, other keys or types, other headers, other values. */
export type Verdict = 'ok' | 'status' | 'shape' | 'header' | 'value';

export interface Comparison {
  verdict: Verdict;
  notes: string[];
}

/** The keys and JSON types of a document; a list has the shape of its first item. */
export function shape(value: Json): Json {
  if (Array.isArray(value)) return value[0] === undefined ? [] : [shape(value[0])];
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, value]) => [name, shape(value)]));
  }
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Every place where two documents differ, as sentences that name the place. */
export function diff(golden: Json, actual: Json, path = '$'): string[] {
  if (isObject(golden) && isObject(actual)) return diffObjects(golden, actual, path);
  if (Array.isArray(golden) && Array.isArray(actual)) {
    const length =
      golden.length === actual.length ? [] : [`${path}: length ${golden.length} -> ${actual.length}`];
    const pairs = golden.slice(0, actual.length);
    return [...length, ...pairs.flatMap((item, i) => diff(item, actual[i] ?? null, `${path}[${i}]`))];
  }
  return golden === actual ? [] : [`${path}: ${brief(golden)} -> ${brief(actual)}`];
}

function diffObjects(golden: JsonObject, actual: JsonObject, path: string): string[] {
  const names = [...new Set([...Object.keys(golden), ...Object.keys(actual)])].toSorted();
  return names.flatMap((name) => {
    const [before, after] = [member(golden, name), member(actual, name)];
    if (after === undefined) return [`${path}.${name}: missing (golden ${brief(before, 80)})`];
    if (before === undefined) return [`${path}.${name}: unexpected (actual ${brief(after, 80)})`];
    return diff(before, after, `${path}.${name}`);
  });
}

/** Compares two normalised answers. */
export function compare(golden: Answer, actual: Answer): Comparison {
  const before = levelOut(golden.body ?? golden.text ?? null);
  const after = levelOut(actual.body ?? actual.text ?? null);
  if (golden.status !== actual.status) {
    const notes = [
      `status ${golden.status} -> ${actual.status}`,
      `golden ${brief(before, 240)}`,
      `actual ${brief(after, 240)}${actual.error ? ` (${actual.error})` : ''}`,
    ];
    return { verdict: 'status', notes };
  }
  const shapes = diff(shape(before), shape(after));
  if (shapes.length > 0) return { verdict: 'shape', notes: shapes };
  const headers = diff(golden.headers, actual.headers, 'headers');
  const values = diff(before, after);
  if (headers.length > 0) return { verdict: 'header', notes: [...headers, ...values] };
  return values.length > 0 ? { verdict: 'value', notes: values } : { verdict: 'ok', notes: [] };
}
