import {
  applyPatch,
  changedAttributes,
  groupTemplateContradictions,
  nodeGroupTemplateAttributes,
  parsePatch,
  patchRules,
  type Fault,
  type Origin,
} from '@jeroboam/domain';
import { enforce, ownScope } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { dryRun as dryRunOf, type DryRun } from '../dry-run.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import { nodeGroupTemplateNotFound } from '../sources/groups.ts';
import {
  readSurrounding,
  storedGroupValues,
  updateNodeGroupTemplate,
  type Database,
  type NodeGroupTemplateRow,
  type Surrounding,
} from '../store/index.ts';
import { mayPublish } from '../templates/publish.ts';
import { checkCloud } from './checks.ts';
import { publishing } from './create.ts';
import { findNodeGroupTemplate } from './find.ts';
import { placeConflicts, visibilityConflicts, visibilityFlags } from './within.ts';

const rules = patchRules({
  internal: ['cluster_template_id', 'source_nodegroup_template', 'source_nodegroup'],
  notRemovable: ['name', 'merge_labels', 'public', 'hidden'],
  json: true,
});

/** Changes a node-group template as a PATCH asks. Groups made from it hold their own copy and do not notice. */
export async function changeNodeGroupTemplate(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  ident: string,
  { body, dryRun }: { body: unknown; dryRun: boolean },
): Promise<NodeGroupTemplateRow | DryRun> {
  const { options, store } = services;
  const operations = parsePatch(body, rules);
  const template = await findNodeGroupTemplate(store.pool, ident, ownScope(caller));
  enforce(options.policy, caller, 'nodegrouptemplate:update', template);

  const { id: _number, ...before } = template;
  const changed = changedAttributes(
    nodeGroupTemplateAttributes,
    before,
    applyPatch(before, operations, rules),
  );
  // What is taken away is open again.
  const change = Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value ?? null]));
  const after: NodeGroupTemplateRow = { ...template, ...change };
  const changes = (name: string): boolean => Object.hasOwn(change, name);

  const refusals = new Refusals({ all: true });
  const flags = visibilityFlags.filter(changes);
  if (template.cluster_template_id === null && flags.length > 0) mayPublish(services, caller, publishing);
  refusals.add(groupTemplateContradictions({ name: after.name ?? 'the template', values: { ...after } }));
  const around = await surroundingOf(store.database, template, { locked: false });
  if (around !== undefined)
    refusals.add([...placeConflicts(after, around), ...visibilityConflicts(flags, around)]);
  const { defaultBootVolumeSize } = options;
  await checkCloud(cloud, after.name ?? '', after, changes, { defaultBootVolumeSize, refusals });
  if (dryRun) return changeDryRun(template, change, refusals.found);
  refusals.settle();

  if (Object.keys(change).length === 0) return template;
  const stored = storedGroupValues(change);
  const row = await store.database.transaction().execute(async (transaction) => {
    if (changes('name') || changes('role')) {
      // Somebody may have taken the place since it was looked for.
      const now = await surroundingOf(transaction, template, { locked: true });
      const [conflict] = now === undefined ? [] : placeConflicts(after, now);
      if (conflict !== undefined) throw conflict;
    }
    return updateNodeGroupTemplate(transaction, template.id, stored);
  });
  if (row === undefined) throw nodeGroupTemplateNotFound(ident);
  return row;
}

/** The cluster template around it; undefined when it stands alone, or when that is gone and it with it. */
const surroundingOf = (
  database: Database,
  template: NodeGroupTemplateRow,
  options: { locked: boolean },
): Promise<Surrounding | undefined> =>
  template.cluster_template_id === null
    ? Promise.resolve(undefined)
    : readSurrounding(database, template.cluster_template_id, options);

/** The template as it would be; what the request does not change is its own. */
function changeDryRun(
  template: NodeGroupTemplateRow,
  change: Readonly<Record<string, unknown>>,
  refusals: readonly Fault[],
): DryRun {
  const { id: _number, ...shown } = template;
  const own: Origin = { kind: 'nodegroup_template', uuid: template.uuid, name: template.name };
  const origins = Object.keys(shown).map((name) => [
    name,
    Object.hasOwn(change, name) ? { kind: 'request' } : own,
  ]);
  return dryRunOf({ ...shown, ...change }, Object.fromEntries(origins), refusals);
}
