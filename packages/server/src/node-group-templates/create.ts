import { randomUUID } from 'node:crypto';
import {
  drawName,
  emptyDraft,
  Fault,
  groupTemplateContradictions,
  nodeGroupRequest,
  nodeGroupTemplateAttributes,
  overlay,
  parseBody,
  templateOfGroup,
  type Origin,
  type TemplateOfGroup,
} from '@jeroboam/domain';
import type { Insertable } from 'kysely';
import { enforce, owningProject } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { dryRun as dryRunOf, type DryRun } from '../dry-run.ts';
import { Given } from '../given.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import {
  insertNodeGroupTemplate,
  newGroupTemplateRow,
  readSurrounding,
  type NodeGroupTemplateRow,
  type NodeGroupTemplateTable,
  type TemplateWithGroups,
} from '../store/index.ts';
import { templateNotFound } from '../templates/find.ts';
import { mayPublish } from '../templates/publish.ts';
import { checkCloud, type CheckedNodeGroupTemplate } from './checks.ts';
import { readSources, type NodeGroupTemplateSources } from './sources.ts';
import { placeConflicts, visibilityConflicts, visibilityFlags } from './within.ts';

export const publishing = { rule: 'nodegrouptemplate:publish', what: 'node-group template' };

export interface CreateNodeGroupTemplate {
  body: unknown;
  dryRun: boolean;
  /** The cluster template whose collection was asked; null: the collection of all. */
  within: string | null;
}

/** Creates a node-group template: from nothing, another template or a group, within a cluster template or alone. */
export async function createNodeGroupTemplate(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  { body, dryRun, within }: CreateNodeGroupTemplate,
): Promise<NodeGroupTemplateRow | DryRun> {
  const { policy, defaultBootVolumeSize } = services.options;
  const parsed = parseBody(nodeGroupTemplateAttributes, body);
  const place = within === null ? 'create' : 'create_in_clustertemplate';
  enforce(policy, caller, `nodegrouptemplate:${place}`);
  const given = new Given(parsed);
  const ownProject = owningProject(caller);
  const { parent, source } = await readSources(services, caller, parsed, within);
  const refusals = new Refusals({ all: true });

  const wanted = { public: given.flag('public'), hidden: given.flag('hidden') };
  if (parent === null && (wanted.public === true || wanted.hidden === true))
    mayPublish(services, caller, publishing);
  if (parent !== null) {
    const others = visibilityFlags.filter((flag) => wanted[flag] !== null && wanted[flag] !== parent[flag]);
    refusals.add(visibilityConflicts(others, parent));
  }

  const name = given.text('name') ?? freeName(parent);
  const template = composed(name, given, parsed, source);
  refusals.add(groupTemplateContradictions({ ...template, name: given.text('name') ?? 'the template' }));
  const uuid = given.text('uuid') ?? randomUUID();
  const role = (template.values['role'] as string | null | undefined) ?? null;
  if (parent !== null) refusals.add(placeConflicts({ uuid, name, role }, parent));
  await checkCloud(
    cloud,
    name,
    template.values as unknown as CheckedNodeGroupTemplate,
    (attribute) => template.values[attribute] !== null,
    { defaultBootVolumeSize, refusals },
  );

  const { public: isPublic, hidden } = parent ?? wanted;
  const attributes = { tags: given.text('tags'), public: isPublic ?? false, hidden: hidden ?? false };
  if (dryRun) return newDryRun(template, given, parent, attributes, refusals.found);
  refusals.settle();
  const owner = {
    // What is part of a template belongs to whom the template belongs, also when an administrator adds it.
    projectId: parent?.project_id ?? ownProject,
    userId: caller.userId,
    clusterTemplate: parent,
  };
  const row = { ...newGroupTemplateRow(template, owner), ...attributes, uuid };
  return write(services, row, parent, { drawn: given.text('name') === null });
}

/** A name of the service's own drawing is none that stands in the way. */
function freeName(parent: { groups: readonly { name: string | null }[] } | null): string {
  const taken = new Set(parent?.groups.map(({ name }) => name));
  const attempts = Array.from({ length: 20 }, () => drawName('template', Math.random));
  return attempts.find((name) => !taken.has(name)) ?? `template-${randomUUID()}`;
}

/** What the request says laid over its source. */
function composed(
  name: string,
  given: Given,
  parsed: Readonly<Record<string, unknown>>,
  source: NodeGroupTemplateSources['source'],
): TemplateOfGroup {
  const template = templateOfGroup(name, overlay(source?.draft ?? emptyDraft, nodeGroupRequest(parsed)));
  // Beside labels of its own the flag says how they meet the source's; alone it says how those of the template are used.
  if (given.labels('labels') !== null) return template;
  return { ...template, mergesLabels: given.flag('merge_labels') ?? template.mergesLabels };
}

/** Writes it; a place within a cluster template is looked for anew while nobody else can take it. */
async function write(
  { store }: Services,
  row: Insertable<NodeGroupTemplateTable>,
  parent: TemplateWithGroups | null,
  { drawn }: { drawn: boolean },
): Promise<NodeGroupTemplateRow> {
  const written = await store.database.transaction().execute(async (transaction) => {
    if (parent === null) return insertNodeGroupTemplate(transaction, row);
    const around = await readSurrounding(transaction, parent.uuid, { locked: true });
    if (around === undefined) throw templateNotFound(parent.uuid);
    const { uuid, role = null } = row;
    // Another may have drawn the same meanwhile.
    const name = drawn ? freeName(around) : (row.name ?? null);
    const [conflict] = placeConflicts({ uuid, name, role }, around);
    if (conflict !== undefined) throw conflict;
    const { public: isPublic, hidden } = around;
    return insertNodeGroupTemplate(transaction, { ...row, name, public: isPublic, hidden });
  });
  if (written !== undefined) return written;
  const message = `A NodeGroupTemplate with UUID ${row.uuid} already exists.`;
  throw new Fault('conflict', message, { field: 'uuid' });
}

/** The template as it would be, without the identity and the name that only writing would draw. */
function newDryRun(
  template: TemplateOfGroup,
  given: Given,
  parent: TemplateWithGroups | null,
  attributes: { tags: string | null; public: boolean; hidden: boolean },
  refusals: readonly Fault[],
): DryRun {
  const said = {
    name: given.text('name'),
    cluster_template_id: parent?.uuid ?? null,
    merge_labels: template.mergesLabels,
    ...attributes,
  };
  const byParent: Origin | null =
    parent === null ? null : { kind: 'cluster_template', uuid: parent.uuid, name: parent.name };
  const origin = (name: string): Origin => {
    if ((name === 'public' || name === 'hidden') && byParent !== null) return byParent;
    const inRequest = given.has(name) || name === 'cluster_template_id';
    if (inRequest || name !== 'merge_labels') return { kind: inRequest ? 'request' : 'default' };
    return template.origins['labels'] ?? { kind: 'default' };
  };
  const origins = Object.entries(said)
    .filter(([, value]) => value !== null)
    .map(([name]) => [name, origin(name)]);
  const resource = { ...said, ...template.values };
  return dryRunOf(resource, { ...template.origins, ...Object.fromEntries(origins) }, refusals);
}
