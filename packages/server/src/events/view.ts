import type { EventRow } from '../store/index.ts';

/** An event as it is told. */
export const eventView = (row: EventRow): Record<string, unknown> => ({
  id: Number(row.id),
  kind: row.kind,
  object: row.object,
  reason: row.reason,
  message: row.message,
  severity: row.severity,
  created_at: row.created_at,
});
