import { Fault } from '@jeroboam/domain';
import type { Caller } from '../identity/index.ts';

/** A hidden template is retired: it can be looked at, but nothing new is made from it. */
export function refuseHidden(template: { hidden: boolean }, caller: Caller, field: string): void {
  if (template.hidden && !caller.isAdmin) throw new Fault('forbidden', 'Not authorized.', { field });
}
