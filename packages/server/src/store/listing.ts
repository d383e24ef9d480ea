import type pg from 'pg';
import { prepared } from './database.ts';
import { pageClauses, type Page } from './page.ts';

export type Executor = pg.Pool | pg.PoolClient;

/** Which rows of a table (known as `t`) a list may show; the parameters of its text start at $1. */
export interface Filter {
  text: string;
  values: readonly unknown[];
}

/** Stands for a list query: the forms it can take are few. */
export function pageKey(what: string, filter: Filter, page: Page): string {
  const marker = page.marker === null ? 'first' : page.marker.value === null ? 'after null' : 'after';
  return `${what}|${filter.text}|${page.sortKey}|${page.descending ? 'desc' : 'asc'}|${marker}`;
}

/** The rows of a page of a table. */
export function listPage<Row extends pg.QueryResultRow>(
  executor: Executor,
  table: string,
  filter: Filter,
  page: Page,
): Promise<Row[]> {
  const clauses = pageClauses(page, 't', filter.values.length + 1);
  const values = [...filter.values, ...clauses.values, page.limit];
  return prepared(
    executor,
    pageKey(`list ${table}`, filter, page),
    values,
    () =>
      `select t.* from ${table} t where ${filter.text} and ${clauses.where} ${clauses.order} limit $${values.length}`,
  );
}

/** Where a page starts: the row whose `column` is the marker, if the filter lets it be seen. */
export async function findMarker(
  executor: Executor,
  table: string,
  filter: Filter,
  column: 'uuid' | 'id',
  marker: string | number,
  sortKey: string,
): Promise<Page['marker']> {
  const values = [...filter.values, marker];
  const [row] = await prepared<{ id: number; value: string | null }>(
    executor,
    `marker ${table}|${filter.text}|${sortKey}`,
    values,
    () =>
      `select t.id, t."${sortKey}"::text as value from ${table} t where ${filter.text} and t.${column} = $${values.length}`,
  );
  return row ?? null;
}
