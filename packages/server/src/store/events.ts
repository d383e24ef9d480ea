import { sql, type Selectable, type Transaction } from 'kysely';
import { prepared } from './database.ts';
import type { Executor } from './listing.ts';
import type { EventKind, EventSeverity, EventTable, Schema } from './schema.ts';

export type EventRow = Selectable<EventTable>;

/** The channel on which readers hear that something happened to a cluster. */
export const eventChannel = 'jeroboam_event';

/** So many of each cluster are kept. */
export const keptEvents = 1000;

/** Something to be told. */
export interface NewEvent {
  kind: EventKind;
  /** The name of what it is about. */
  object: string;
  /** One word for programs. */
  reason: string;
  /** One sentence for people. */
  message: string;
  severity?: EventSeverity;
}

/**
 * Writes down what happened, in the transaction that did it, and tells the readers when that commits. The cluster's row
 * must be locked: so the order of the numbers is the order in which they are seen.
 */
export async function recordEvents(
  transaction: Transaction<Schema>,
  cluster: { uuid: string; project_id: string },
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const news = JSON.stringify(events.map((event) => ({ severity: 'info', ...event })));
  // One statement, since it is part of every request that changes a cluster. Its parts see the table as it was before.
  await sql`
    with news as (
      insert into event (cluster_uuid, project_id, kind, object, reason, message, severity)
      select ${cluster.uuid}, ${cluster.project_id}, n.*
      from jsonb_to_recordset(${news}::jsonb)
        as n (kind text, object text, reason text, message text, severity text)
    ), outdated as (
      delete from event where cluster_uuid = ${cluster.uuid} and id <= (
        select id from event where cluster_uuid = ${cluster.uuid} order by id desc
        offset ${Math.max(keptEvents - events.length, 0)} limit 1)
    )
    select pg_notify(${eventChannel}, ${cluster.uuid})`.execute(transaction);
}

/** Wakes those who follow a cluster; also when it goes, and its events with it. */
export async function announceEvents(transaction: Transaction<Schema>, clusterUuid: string): Promise<void> {
  await sql`select pg_notify(${eventChannel}, ${clusterUuid})`.execute(transaction);
}

/** The newest events of a cluster, or those before a number. */
export const eventsBefore = (
  executor: Executor,
  clusterUuid: string,
  before: string | null,
  limit: number,
): Promise<EventRow[]> =>
  prepared(
    executor,
    'events before',
    [clusterUuid, before, limit],
    () =>
      `select * from event where cluster_uuid = $1 and ($2::bigint is null or id < $2::bigint) order by id desc limit $3`,
  );

/** The events of a cluster after a number, oldest first. */
export const eventsAfter = (
  executor: Executor,
  clusterUuid: string,
  after: string,
  limit: number,
): Promise<EventRow[]> =>
  prepared(
    executor,
    'events after',
    [clusterUuid, after, limit],
    () => `select * from event where cluster_uuid = $1 and id > $2::bigint order by id limit $3`,
  );

/** The number of the newest event of a cluster; undefined when there is no such cluster. */
export async function newestEvent(executor: Executor, clusterUuid: string): Promise<string | undefined> {
  const [row] = await prepared<{ id: string }>(
    executor,
    'newest event',
    [clusterUuid],
    () => `select coalesce((select max(id) from event where cluster_uuid = c.uuid), 0)::text as id
           from cluster c where c.uuid = $1`,
  );
  return row?.id;
}

/** What was told last of each machine of a cluster. */
export async function lastOfMachines(
  transaction: Transaction<Schema>,
  clusterUuid: string,
): Promise<Map<string, string>> {
  const rows = await transaction
    .selectFrom('event')
    .distinctOn('object')
    .select(['object', 'message'])
    .where('cluster_uuid', '=', clusterUuid)
    .where('kind', '=', 'machine')
    .orderBy('object')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ object, message }) => [object, message]));
}
