import { setTimeout as sleep } from 'node:timers/promises';

import type { ClusterApiDriver } from '@jeroboam/capi';
import type { ManagementCluster } from '@jeroboam/sandbox';
import { kubeconfigIn, managementClusterObstacle, startManagementCluster } from '@jeroboam/sandbox';
import type { Logger } from 'pino';

import type { Settings } from './settings/index.ts';
import { messageOf } from './start-error.ts';

/** Where clusters of this start come from: an existing management cluster, one in a box, or nowhere. */
export type ManagementPlan =
  | { kind: 'kubeconfig'; file: string }
  | { kind: 'box' }
  /** `why` is null where nobody asked for more. */
  | { kind: 'simulated'; why: string | null };

export async function planManagement(settings: Settings): Promise<ManagementPlan> {
  if (settings.kubeconfig !== undefined) return { kind: 'kubeconfig', file: settings.kubeconfig };
  if (settings.managementCluster === 'off') return { kind: 'simulated', why: null };
  // The machines of a box are made up: beside a real cloud nobody is to take them for real ones.
  if (settings.keystoneAuthUrl !== undefined)
    return { kind: 'simulated', why: 'give --kubeconfig of a management cluster for real ones' };
  const obstacle = await managementClusterObstacle();
  return obstacle === null ? { kind: 'box' } : { kind: 'simulated', why: obstacle };
}

/** The plan in the words of the summary after a start. */
export function describeManagement(plan: ManagementPlan, directory: string): string | null {
  if (plan.kind === 'kubeconfig') return plan.file;
  if (plan.kind === 'box') return `${kubeconfigIn(directory)} (coming up)`;
  return plan.why === null ? null : `none, clusters are simulated: ${plan.why}`;
}

/** A management cluster that comes up while the service answers already. */
export interface BackgroundCluster {
  /** Makes the API server of a cluster reachable on loopback; answers the port. */
  openEndpoint(port: number): Promise<number>;
  close(): Promise<void>;
}

const backoff = { firstMs: 30_000, mostMs: 10 * 60_000 };

/**
 * Brings the box up and gives it to the driver; until then the driver says what is going on, and clusters wait. What goes
 * wrong, such as a download, is tried again.
 */
export function bringUpInBackground(options: {
  directory: string;
  driver: ClusterApiDriver;
  logger: Logger;
}): BackgroundCluster {
  const { directory, driver, logger } = options;
  const closing = new AbortController();
  let cluster: ManagementCluster | null = null;

  function told(line: string): void {
    logger.info(line);
    if (cluster === null) driver.unavailable(sentence(line));
  }

  async function bringUp(): Promise<void> {
    for (let delay = backoff.firstMs; !closing.signal.aborted; delay = Math.min(delay * 2, backoff.mostMs)) {
      try {
        cluster = await startManagementCluster({ directory, progress: told, signal: closing.signal });
        driver.connect(cluster.access);
        logger.info({ kubeconfig: cluster.kubeconfig }, 'the management cluster is ready');
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        logger.error(`${messageOf(error)}; it is tried again in ${delay / 1_000} s`);
        driver.unavailable(sentence(messageOf(error)));
        await sleep(delay, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      }
    }
  }

  driver.unavailable('The management cluster is starting.');
  const broughtUp = bringUp();
  return {
    async openEndpoint(port) {
      if (cluster === null) throw new Error('The management cluster is starting.');
      return cluster.openEndpoint(port);
    },
    async close() {
      closing.abort();
      await broughtUp;
      driver.close();
      await cluster?.close();
    },
  };
}

const sentence = (line: string): string =>
  `${line.charAt(0).toUpperCase()}${line.slice(1).replace(/\.$/, '')}.`;
