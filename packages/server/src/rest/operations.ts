import type { Operation } from './operation.ts';
import { actionOperations } from './resources/actions.ts';
import { certificateOperations } from './resources/certificates.ts';
import { clusterTemplateOperations } from './resources/cluster-templates.ts';
import { clusterOperations } from './resources/clusters.ts';
import { credentialOperations } from './resources/credentials.ts';
import { eventOperations } from './resources/events.ts';
import { federationOperations } from './resources/federations.ts';
import { machineOperations } from './resources/machines.ts';
import { nodeGroupTemplateOperations } from './resources/node-group-templates.ts';
import { nodeGroupOperations } from './resources/node-groups.ts';
import { quotaOperations } from './resources/quotas.ts';
import { serviceOperations } from './resources/services.ts';
import { statsOperations } from './resources/stats.ts';

/** Everything the API can do. Routing, the API document and the tests of every route are made from this. */
export const operations: readonly Operation[] = [
  ...clusterOperations,
  ...actionOperations,
  ...nodeGroupOperations,
  ...eventOperations,
  ...machineOperations,
  ...clusterTemplateOperations,
  ...nodeGroupTemplateOperations,
  ...certificateOperations,
  ...credentialOperations,
  ...quotaOperations,
  ...statsOperations,
  ...serviceOperations,
  ...federationOperations,
];
