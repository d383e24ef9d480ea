import {
  applyPatch,
  bootVolumeSize,
  changedAttributes,
  clusterTemplateAttributes,
  Fault,
  parsePatch,
  patchRules,
  type Labels,
  type Origin,
} from '@jeroboam/domain';
import { enforce, ownScope } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { dryRun as dryRunOf, type DryRun } from '../dry-run.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import { updateTemplate, type ClusterTemplateRow } from '../store/index.ts';
import { checkCloudReferences, checkTemplateRules } from './checks.ts';
import { mayPublish } from './publish.ts';
import { findTemplate, templateNotFound } from './find.ts';

const rules = patchRules({
  notRemovable: [
    'image_id',
    'external_network_id',
    'coe',
    'tls_disabled',
    'public',
    'registry_enabled',
    'server_type',
    'cluster_distro',
    'network_driver',
    'hidden',
  ],
  literals: ['labels'],
});

/** What a removed attribute goes back to. */
const removed: Readonly<Record<string, unknown>> = {
  labels: {},
  master_lb_enabled: false,
  floating_ip_enabled: true,
};

/** With the extensions everything can be opened again but who sees it. */
const extendedRules = patchRules({
  internal: ['cluster_distro', 'source_template', 'source_cluster', 'merge_labels', 'merge_nodegroups'],
  notRemovable: ['public', 'hidden', 'control_plane_only', 'name'],
  json: true,
});

/** The template as a PATCH of Magnum's sees it. */
const magnumNames = new Set(
  clusterTemplateAttributes.attributes.filter(({ extension }) => extension !== true).map(({ name }) => name),
);

/** Changes a template as a PATCH asks. Clusters made from it hold their own copy and do not notice. */
export async function changeTemplate(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  ident: string,
  { body, dryRun, extended }: { body: unknown; dryRun: boolean; extended: boolean },
): Promise<ClusterTemplateRow | DryRun> {
  const { options, store } = services;
  const asked = extended ? extendedRules : rules;
  const operations = parsePatch(body, asked);
  const template = await findTemplate(store.pool, ident, ownScope(caller));
  enforce(options.policy, caller, 'clustertemplate:update', template);

  const before: Record<string, unknown> = Object.fromEntries(
    Object.entries(template).filter(([name]) => extended || magnumNames.has(name)),
  );
  const changed = changedAttributes(clusterTemplateAttributes, before, applyPatch(before, operations, asked));
  const change = Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [
      name,
      value === undefined ? (extended ? null : (removed[name] ?? null)) : value,
    ]),
  );
  if (!extended && Object.hasOwn(change, 'labels') && change['labels'] === null) {
    throw new Fault('invalid_input', 'labels should be an object, not null.', { field: 'labels' });
  }
  const after: ClusterTemplateRow = { ...template, ...change };
  const refusals = new Refusals({ all: dryRun });
  await checkTemplateRules(
    {
      ...after,
      coe: after.coe ?? 'kubernetes',
      server_type: after.server_type ?? 'vm',
      network_driver: after.network_driver ?? options.networkDrivers.default,
    },
    options.networkDrivers,
    refusals,
  );
  let bootVolume = 0;
  await refusals.check(() => {
    bootVolume = bootVolumeSize(after.labels, options.defaultBootVolumeSize);
  });
  await checkCloudReferences(
    cloud,
    {
      flavors: flavorsToAsk(template, extended ? {} : changed, after).map((flavor) => ({
        ...flavor,
        bootVolume,
      })),
      images: after.image_id === null ? [] : [{ ident: after.image_id, field: 'image_id' }],
      externalNetwork: after.external_network_id,
      fixedNetwork: after.fixed_network,
      fixedSubnet: after.fixed_subnet,
    },
    refusals,
  );
  if (after.public !== template.public || after.hidden !== template.hidden) mayPublish(services, caller);

  if (extended && 'image_id' in change && refusals.found.length === 0)
    change['cluster_distro'] = after.image_id === null ? null : (await cloud.image(after.image_id)).osDistro;
  if (dryRun) return templateChangeDryRun(template, change, refusals.found);
  refusals.settle();

  if (Object.keys(change).length === 0) return template;
  const stored = 'labels' in change ? { ...change, labels: JSON.stringify(change['labels'] ?? {}) } : change;
  const row = await updateTemplate(store.database, template, stored);
  if (row === undefined) throw templateNotFound(ident);
  // As Magnum does: the answer to the removal shows none, later answers an empty map.
  return changed['labels'] === undefined && 'labels' in changed && !extended
    ? { ...row, labels: null as unknown as Labels }
    : row;
}

/** The template as it would be; what the request does not change is its own. */
function templateChangeDryRun(
  template: ClusterTemplateRow,
  change: Record<string, unknown>,
  refusals: readonly Fault[],
): DryRun {
  const { id: _number, ...shown } = template;
  const own: Origin = { kind: 'cluster_template', uuid: template.uuid, name: template.name };
  const origin = (name: string): Origin => (Object.hasOwn(change, name) ? { kind: 'request' } : own);
  const origins = Object.fromEntries(Object.keys(shown).map((name) => [name, origin(name)]));
  return dryRunOf({ ...shown, ...change }, origins, refusals);
}

/** Flavors that are named, and those the patch takes away: a template that had one may not lose it. */
function flavorsToAsk(
  before: ClusterTemplateRow,
  changed: Record<string, unknown>,
  after: ClusterTemplateRow,
): { ident: string | null | undefined; field: string }[] {
  const fields = ['flavor_id', 'master_flavor_id'] as const;
  return fields
    .map((field) => {
      const taken = Object.hasOwn(changed, field) && changed[field] === undefined && before[field] !== null;
      return { field, ident: taken ? undefined : after[field] };
    })
    .filter(({ ident }) => ident !== null);
}
