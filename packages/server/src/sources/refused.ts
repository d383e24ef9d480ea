import { Fault, isDeleting } from '@jeroboam/domain';
import type { Caller } from '../identity/index.ts';

/** A hidden template is retired: it can be looked at, but nothing new is made from it. */
export function refuseHidden(template: { hidden: boolean }, caller: Caller, field: string): void {
  if (template.hidden && !caller.isAdmin) throw new Fault('forbidden', 'Not authorized.', { field });
}

/** What is being deleted is no longer whole: its groups go one after the other. */
export function refuseDeleting(source: { name: string; status: string }, what: string, field: string): void {
  if (!isDeleting(source.status)) return;
  throw new Fault(
    'conflict',
    `${what} ${source.name} is being deleted: nothing can be made from it any more.`,
    {
      field,
    },
  );
}
