import type { Driver, ObservedMachine } from '@jeroboam/domain';
import type { Transaction } from 'kysely';
import {
  desiredCluster,
  lastOfMachines,
  lockCluster,
  recordEvents,
  type NewEvent,
  type Schema,
  type Store,
} from '../store/index.ts';
import type { Rows } from './scope.ts';

/** Tells of machines what stands in their way, once for each thing. */
export interface MachineEvents {
  tell(driver: Driver, rows: Rows): Promise<void>;
  forget(cluster: string): void;
}

const cleared = 'Nothing stands in its way any more.';

/** What stands in the way of a machine: its first condition that is not so and says why. */
function trouble({ phase, conditions }: ObservedMachine): string | null {
  const condition = conditions.find(({ status, message }) => status === 'False' && (message ?? '') !== '');
  if (condition !== undefined) {
    const reason = condition.reason === null ? '' : ` (${condition.reason})`;
    return `${phase}: ${condition.type} is not so${reason}: ${condition.message ?? ''}`;
  }
  return phase === 'Failed' ? 'The machine failed.' : null;
}

/** What is news, given what was told last of each machine. */
export function machineNews(
  machines: readonly ObservedMachine[],
  last: ReadonlyMap<string, string>,
): NewEvent[] {
  return machines.flatMap((machine): NewEvent[] => {
    const message = trouble(machine);
    const before = last.get(machine.name);
    const about = { kind: 'machine', object: machine.name } as const;
    if (message !== null && message !== before)
      return [{ ...about, reason: 'Waiting', message, severity: 'warning' }];
    if (message === null && before !== undefined && before !== cleared)
      return [{ ...about, reason: 'Cleared', message: cleared }];
    return [];
  });
}

export function createMachineEvents(store: Store): MachineEvents {
  /** Cluster → what was seen when the store was asked last; most looks find the same and ask nothing. */
  const seen = new Map<string, string>();
  return {
    async tell(driver, { cluster, groups }) {
      const machines = await driver.machines(desiredCluster(cluster, groups));
      const picture = machines.map((machine) => `${machine.name} ${trouble(machine) ?? ''}`).join('\n');
      if ((seen.get(cluster.uuid) ?? '') === picture) return;
      await store.database.transaction().execute(async (transaction: Transaction<Schema>) => {
        if (!(await lockCluster(transaction, cluster.uuid))) return;
        const last = await lastOfMachines(transaction, cluster.uuid);
        await recordEvents(transaction, cluster, machineNews(machines, last));
      });
      seen.set(cluster.uuid, picture);
    },
    forget: (cluster) => void seen.delete(cluster),
  };
}
