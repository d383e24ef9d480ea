import type { Dump } from './database.ts';

/** One line of a certificate would give it away as well as the whole. */
const pemLines = (text: string): string[] =>
  text.startsWith('-----BEGIN') ? text.split('\n').filter((line) => line.length === 64) : [];

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...pemLines(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...texts(item)]);
}

/** Shorter texts stand in answers by chance. */
const shortest = 8;

/**
 * Every text that stands in rows of one project and in those of no other: names, uuids, labels, addresses,
 * certificates, ids. None of it is anyone else's business.
 */
export function textsOnlyOf(dump: Dump, projectId: string): Set<string> {
  const clusters = new Set(
    dump['cluster']?.filter((row) => row['project_id'] === projectId).map((row) => row['uuid']),
  );
  const isTheirs = (row: Record<string, unknown>): boolean =>
    row['project_id'] === projectId || clusters.has(row['cluster_uuid']);
  const [theirs, others] = [new Set<string>(), new Set<string>()];
  for (const row of Object.values(dump).flat()) {
    for (const text of texts(row)) {
      if (text.length >= shortest) (isTheirs(row) ? theirs : others).add(text);
    }
  }
  return new Set([...theirs].filter((text) => !others.has(text)));
}

/** The first of these texts that an answer shows although the request did not name it. */
export const leakIn = (answer: string, asked: string, secrets: Iterable<string>): string | undefined =>
  [...secrets].find((text) => answer.includes(text) && !asked.includes(text));
