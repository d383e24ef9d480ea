import type { DesiredChange } from '@jeroboam/domain';
import { Fault } from '@jeroboam/domain';
import { KubeError } from '@jeroboam/kubernetes';
import { emptyCluster, type ClusterObjects } from '../cache/held.ts';
import type { Session } from '../management/session.ts';
import { drawClusterName, namespaceOf } from '../names.ts';
import { planCluster } from '../plan/plan-cluster.ts';
import type { WantedVersions } from '../versions/wanted.ts';
import { runningVersion, versionsFor, type Tools } from '../work.ts';
import { dryRun } from './dry-run.ts';
import { etcdRefusals } from './etcd-health.ts';
import { removalRefusals, sizeRefusals, strategyRefusals, versionRefusals } from './rules.ts';

/**
 * All that speaks against a change. `session` is null while the management cluster cannot be asked: then the rules
 * speak alone, and the rest shows when the change is carried out.
 */
export async function refusalsOf(
  change: DesiredChange,
  session: Session | null,
  tools: Tools,
): Promise<Fault[]> {
  const { after } = change;
  const live = session?.cache.of(after.uuid) ?? emptyCluster;
  const faults = [...sizeRefusals(change), ...strategyRefusals(change), ...etcdRefusals(change, live)];
  if (session !== null) faults.push(...removalRefusals(change, live));
  let wanted: WantedVersions;
  try {
    wanted = await versionsFor(tools, after, live);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [...faults, new Fault('invalid_input', message, { field: 'kubernetes_version' })];
  }
  faults.push(...versionRefusals(change, wanted, (group) => runningVersion(live, after, group)));
  if (faults.length > 0 || session === null) return faults;
  return tryOut(change, session, tools, { wanted, live });
}

/** What the management cluster says to what would be done next; that it cannot be asked is no refusal. */
async function tryOut(
  { after }: DesiredChange,
  session: Session,
  { infrastructure, log }: Tools,
  known: { wanted: WantedVersions; live: ClusterObjects },
): Promise<Fault[]> {
  // A name is only drawn when the cluster is made; any will do for trying.
  const cluster = { ...after, stackId: after.stackId ?? drawClusterName(after.name, () => 0) };
  const plan = planCluster({ cluster, infrastructure, ...known, nodesToRemove: [], maxBatchSize: null });
  try {
    return await dryRun(session, plan, namespaceOf(after));
  } catch (error) {
    if (!(error instanceof KubeError && error.passing)) throw error;
    log?.(`What was asked of ${after.name} could not be tried out: ${error.message}`);
    return [];
  }
}
