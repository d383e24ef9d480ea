import { Fault } from '@jeroboam/domain';
import { allows } from '../access.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';

/** Showing a template to everybody, or hiding one, is for those whom policy trusts with it. */
export function mayPublish(
  { options }: Services,
  caller: Caller,
  { rule, what } = { rule: 'clustertemplate:publish', what: 'cluster template' },
): void {
  const own = { project_id: caller.projectId, user_id: caller.userId };
  if (allows(options.policy, caller, rule, own)) return;
  throw new Fault('forbidden', `Not authorized to set public or hidden flag for ${what}.`, {
    field: 'public',
  });
}
