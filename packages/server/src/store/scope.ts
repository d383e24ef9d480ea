import type { Filter } from './listing.ts';

/** Whose rows a query may see. `everything` is for administrators where a handler widens its view. */
export type Scope = { everything: true } | { projectId: string } | { userId: string };

/** The rows of a scope in a table with project_id and user_id. */
export function scopeFilter(scope: Scope): Filter {
  if ('everything' in scope) return { text: 'true', values: [] };
  if ('projectId' in scope) return { text: 't.project_id = $1', values: [scope.projectId] };
  return { text: 't.user_id = $1', values: [scope.userId] };
}
