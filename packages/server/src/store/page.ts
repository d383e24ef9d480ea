/** A page of a list: sorted by one column, then by id, starting after a row. */
export interface Page {
  limit: number;
  sortKey: string;
  descending: boolean;
  marker: { id: number; value: unknown } | null;
}

/**
 * The condition and order of a page. Rows without a value come first in ascending order, as in the databases
 * Magnum runs on. `sortKey` must come from a list of known columns: it is written into the query.
 */
export function pageClauses(
  page: Page,
  table: string,
  parameter: number,
): { where: string; order: string; values: unknown[] } {
  const column = `${table}."${page.sortKey}"`;
  const id = `${table}.id`;
  const direction = page.descending ? 'desc' : 'asc';
  const order =
    page.sortKey === 'id'
      ? `order by ${id} ${direction}`
      : `order by ${column} ${direction} nulls ${page.descending ? 'last' : 'first'}, ${id} ${direction}`;
  if (page.marker === null) return { where: 'true', order, values: [] };
  const beyond = page.descending ? '<' : '>';
  if (page.sortKey === 'id')
    return { where: `${id} ${beyond} $${parameter}`, order, values: [page.marker.id] };
  const [value, marker] = [`$${parameter}`, `$${parameter + 1}`];
  if (page.marker.value === null) {
    const sameKind = `(${column} is null and ${id} ${beyond} $${parameter})`;
    return {
      where: page.descending ? sameKind : `(${column} is not null or ${sameKind})`,
      order,
      values: [page.marker.id],
    };
  }
  const further = page.descending ? `(${column} < ${value} or ${column} is null)` : `${column} > ${value}`;
  return {
    where: `(${further} or (${column} = ${value} and ${id} ${beyond} ${marker}))`,
    order,
    values: [page.marker.value, page.marker.id],
  };
}
