import {
  applyPatch,
  changedAttributes,
  clusterTemplateAttributes,
  Fault,
  parsePatch,
  patchRules,
  type Labels,
} from '@jeroboam/domain';
import { enforce, ownScope } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import { updateTemplate, type ClusterTemplateRow } from '../store/index.ts';
import { checkCloudReferences, checkTemplateRules } from './checks.ts';
import { mayPublish } from './create.ts';
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

/** Changes a template as a PATCH asks. Clusters made from it hold their own copy and do not notice. */
export async function changeTemplate(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  ident: string,
  body: unknown,
): Promise<ClusterTemplateRow> {
  const { options, store } = services;
  const operations = parsePatch(body, rules);
  const template = await findTemplate(store.pool, ident, ownScope(caller));
  enforce(options.policy, caller, 'clustertemplate:update', template);

  const before: Record<string, unknown> = { ...template };
  const changed = changedAttributes(clusterTemplateAttributes, before, applyPatch(before, operations, rules));
  const change = Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [
      name,
      value === undefined ? (removed[name] ?? null) : value,
    ]),
  );
  if (Object.hasOwn(change, 'labels') && change['labels'] === null) {
    throw new Fault('invalid_input', 'labels should be an object, not null.', { field: 'labels' });
  }
  const after: ClusterTemplateRow = { ...template, ...change };
  checkTemplateRules(
    { ...after, network_driver: after.network_driver ?? options.networkDrivers.default },
    options.networkDrivers,
  );
  await checkCloudReferences(
    cloud,
    {
      image: after.image_id,
      flavors: flavorsToAsk(template, changed, after),
      externalNetwork: after.external_network_id,
      fixedNetwork: after.fixed_network,
      fixedSubnet: after.fixed_subnet,
      keypair: null,
      labels: after.labels,
    },
    options.defaultBootVolumeSize,
  );
  if (after.public !== template.public || after.hidden !== template.hidden) mayPublish(services, caller);

  if (Object.keys(change).length === 0) return template;
  const stored = 'labels' in change ? { ...change, labels: JSON.stringify(change['labels']) } : change;
  const row = await updateTemplate(store.database, template.id, stored);
  if (row === undefined) throw templateNotFound(ident);
  // As Magnum does: the answer to the removal shows none, later answers an empty map.
  return changed['labels'] === undefined && 'labels' in changed
    ? { ...row, labels: null as unknown as Labels }
    : row;
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
