import { hash } from 'node:crypto';
import type { CatalogEntry } from '@jeroboam/openstack';
import { BoundedMap } from './bounded-map.ts';

const POOLED_CATALOGS = 256;

/**
 * Gives equal catalogues the same object. A catalogue is the largest part of a token and nearly always the same for
 * everyone, so that ten thousand remembered callers would otherwise hold ten thousand copies.
 */
export function createCatalogPool(): (catalog: readonly CatalogEntry[]) => readonly CatalogEntry[] {
  const pool = new BoundedMap<string, readonly CatalogEntry[]>(POOLED_CATALOGS);
  return (catalog) => {
    const key = hash('sha256', JSON.stringify(catalog), 'base64');
    const pooled = pool.get(key);
    if (pooled !== undefined) return pooled;
    pool.set(key, catalog);
    return catalog;
  };
}
