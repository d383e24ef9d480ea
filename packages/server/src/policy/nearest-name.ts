/** Levenshtein distance, one row at a time. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let line = 1; line <= left.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= right.length; column += 1) {
      const replace = (row[column - 1] ?? 0) + (left[line - 1] === right[column - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/** The known name that somebody who wrote `name` most likely meant, or null when none is near enough to say. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(name.length / 4)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const found = distance(name, candidate);
    if (found < least) [best, least] = [candidate, found];
  }
  return best;
}
