/** The known name that somebody who wrote `name` most likely meant, or undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(wanted, plain(candidate)) }))
    .sort((one, other) => one.distance - other.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(2, Math.floor(wanted.length / 4))
    ? best.candidate
    : undefined;
}

export function didYouMean(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  return guess === undefined ? 'see --help' : `did you mean ${guess}?`;
}

/** Hyphens, underscores and case are how a source spells a name, not what it is called. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '');

/** Insertions, deletions and replacements between two words; row by row over the table of their beginnings. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[other.length] ?? 0;
}
