/** Numbers that bound what Cluster API does on its own. */

/** Zero or none would wait for ever: a pod that may not be evicted must not keep a node for good. */
export const deletionLimits = {
  nodeDrainTimeoutSeconds: 600,
  nodeVolumeDetachTimeoutSeconds: 300,
  nodeDeletionTimeoutSeconds: 60,
};

/** A control plane whose new members keep failing is left alone after so many, for somebody to look. */
export const controlPlaneRemediation = {
  maxRetry: 3,
  retryPeriodSeconds: 1200,
  minHealthyPeriodSeconds: 3600,
};

/** Certificates of the control plane are renewed, by replacing its machines, so long before they expire. */
export const certificatesExpiryDays = 21;

/** Of a group, so many may be replaced at once. */
export const workerRemediation = { maxInFlight: '20%' };

/** A machine without a node for so long, or with a node unready for so long, is unhealthy. */
export const nodeStartupSeconds = 1200;
export const nodeUnreadySeconds = 300;

/** With more than this unhealthy, the fault is elsewhere and replacing machines makes it worse. */
const mostUnhealthy = '40%';

/** Percentages are rounded down, and of one or two machines forty per cent would be none. */
export const unhealthyLimit = (machines: number): string | number => (machines < 3 ? 1 : mostUnhealthy);
