/** The statuses of clusters and node groups, as Magnum's clients know them. */
export const statuses = [
  'CREATE_IN_PROGRESS',
  'CREATE_FAILED',
  'CREATE_COMPLETE',
  'UPDATE_IN_PROGRESS',
  'UPDATE_FAILED',
  'UPDATE_COMPLETE',
  'DELETE_IN_PROGRESS',
  'DELETE_FAILED',
  'DELETE_COMPLETE',
  'RESUME_COMPLETE',
  'RESUME_FAILED',
  'RESTORE_COMPLETE',
  'ROLLBACK_IN_PROGRESS',
  'ROLLBACK_FAILED',
  'ROLLBACK_COMPLETE',
  'SNAPSHOT_COMPLETE',
  'CHECK_COMPLETE',
  'ADOPT_COMPLETE',
] as const;

export type Status = (typeof statuses)[number];

export const healthStatuses = ['HEALTHY', 'UNHEALTHY', 'UNKNOWN'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** What is being done to a resource; the first half of its status. */
export type Verb = 'CREATE' | 'UPDATE' | 'DELETE';
/** How far it is; the second half. */
export type Phase = 'IN_PROGRESS' | 'COMPLETE' | 'FAILED';

export const statusOf = (verb: Verb, phase: Phase): Status => `${verb}_${phase}`;

export const isInProgress = (status: string | null): boolean => status?.endsWith('_IN_PROGRESS') ?? false;
export const isFailed = (status: string | null): boolean => status?.endsWith('_FAILED') ?? false;
export const isDeleting = (status: string | null): boolean => status?.startsWith('DELETE_') ?? false;

/**
 * The verb a change of a resource runs under. What was never completely created is still being created
 * whatever one asks of it, so that a client that waits for CREATE_COMPLETE sees it come.
 */
export const changeVerb = (status: Status | null): 'CREATE' | 'UPDATE' =>
  status === 'CREATE_IN_PROGRESS' || status === 'CREATE_FAILED' ? 'CREATE' : 'UPDATE';
