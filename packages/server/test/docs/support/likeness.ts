/** Written for a value that may be any, as a member for "and more members", as an item for "and more items". */
const anything = '…';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A real answer, written like the documented one: where that says "…" so does this, so that the two are equal when the
 * documentation is true, and their difference shows what is not.
 */
export function writtenLike(real: unknown, documented: unknown): unknown {
  if (documented === anything && real !== undefined) return anything;
  if (typeof documented === 'string' && typeof real === 'string')
    return fits(real, documented) ? documented : real;
  if (Array.isArray(documented) && Array.isArray(real)) return likeList(real, documented);
  if (isObject(documented) && isObject(real)) return likeObject(real, documented);
  return real;
}

/** A text with "…" in it may be anything there. */
function fits(real: string, documented: string): boolean {
  const parts = documented
    .split(anything)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}$`).test(real);
}

function likeList(real: readonly unknown[], documented: readonly unknown[]): unknown[] {
  const isOpen = documented.at(-1) === anything;
  const told = isOpen ? documented.slice(0, -1) : documented;
  const items = (isOpen ? real.slice(0, told.length) : real).map((item, index) =>
    writtenLike(item, told[index]),
  );
  return isOpen ? [...items, anything] : items;
}

function likeObject(
  real: Readonly<Record<string, unknown>>,
  documented: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isOpen = anything in documented;
  const names = Object.keys(real).filter((name) => !isOpen || name in documented);
  const members = names.map((name) => [name, writtenLike(real[name], documented[name])]);
  return { ...Object.fromEntries(members), ...(isOpen ? { [anything]: anything } : {}) };
}
