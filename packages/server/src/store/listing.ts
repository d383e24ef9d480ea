import type pg from 'pg';
import { prepared } from './database.ts';
import { pageClauses, type Page } from './page.ts';

export type Executor = pg.Pool | pg.PoolClient;

/** Which rows of a table (known as `t`) a list may show; the parameters of its text start at $1. */
export interface Filter {
  text: string;
  values: readonly unknown[];
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
  const text = `select t.* from ${table} t where ${filter.text} and ${clauses.where} ${clauses.order} limit $${values.length}`;
  return prepared(executor, text, values);
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
  const parameter = filter.values.length + 1;
  const text = `select t.id, t."${sortKey}"::text as value from ${table} t where ${filter.text} and t.${column} = $${parameter}`;
  const rows = await prepared<{ id: number; value: string | null }>(executor, text, [
    ...filter.values,
    marker,
  ]);
  return rows[0] ?? null;
}
