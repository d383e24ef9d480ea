import type { Deadlines } from '../options.ts';
import type { Scope } from './scope.ts';
import { verbOf } from './write.ts';

const defaultMinutes = 60;

/** When an operation that begins now has failed, if it is not done by then; null: never. */
export function deadlineOf(
  scope: Pick<Scope, 'operation' | 'cluster'>,
  { updateMinutes = defaultMinutes, deleteMinutes = defaultMinutes }: Deadlines,
  now: number,
): string | null {
  const limits = {
    CREATE: scope.cluster.create_timeout ?? 0,
    UPDATE: updateMinutes,
    DELETE: deleteMinutes,
  };
  const minutes = limits[verbOf(scope)];
  return minutes <= 0 ? null : new Date(now + minutes * 60_000).toISOString();
}

/** Milliseconds until then; null when there is no such time. */
export const untilDeadline = ({ operation }: Pick<Scope, 'operation'>, now: number): number | null =>
  operation.deadline === null ? null : Date.parse(operation.deadline) - now;

const advice = {
  CREATE:
    'It becomes complete by itself once the back end is. Else change the cluster to try again, or delete it.',
  UPDATE: 'It becomes complete by itself once the back end is. Else ask for the change again.',
  DELETE: 'The cluster goes by itself once the back end is done. Else delete it again.',
};

/** What is told of an operation that is not done in time. */
export function overdueReason(
  scope: Pick<Scope, 'operation' | 'cluster'>,
  waitedFor: string | null,
  now: number,
): string {
  const { accepted_at: accepted } = scope.operation;
  const minutes = Math.max(1, Math.round((now - Date.parse(accepted)) / 60_000));
  const words = (waitedFor ?? 'the back end, which gives no reason').replace(/\.$/, '');
  return `Not done after ${minutes} min, waiting for: ${words}. ${advice[verbOf(scope)]}`;
}
