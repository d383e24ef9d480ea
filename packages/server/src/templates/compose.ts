import { randomUUID } from 'node:crypto';
import {
  bootVolumeSize,
  clusterTemplateAttributes,
  clusterTemplateContradictions,
  clusterTemplateRequest,
  drawName,
  Fault,
  overlayClusters,
  parseBody,
  requestContradictions,
  templateOfCluster,
  withGroups,
  type Labels,
  type TemplateOfCluster,
  type Values,
} from '@jeroboam/domain';
import type { Insertable } from 'kysely';
import { enforce, owningProject } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { groupsOfRequest, sourceDrafts } from '../clusters/resolve-request.ts';
import { dryRun as dryRunOf, type DryRun } from '../dry-run.ts';
import { Given } from '../given.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import { readTemplateSources } from '../sources/read.ts';
import {
  insertTemplate,
  newGroupTemplateRow,
  type ClusterTemplateRow,
  type ClusterTemplateTable,
} from '../store/index.ts';
import { checkCloudReferences, checkTemplateRules } from './checks.ts';
import { mayPublish } from './publish.ts';

const uuidTaken = (uuid: string): Fault =>
  new Fault('conflict', `A ClusterTemplate with UUID ${uuid} already exists.`, { field: 'uuid' });

/** Creates a cluster template that may come from another or from a cluster, hold groups, and leave anything open. */
export async function composeTemplate(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  { body, dryRun }: { body: unknown; dryRun: boolean },
): Promise<ClusterTemplateRow | DryRun> {
  const { options, store } = services;
  const parsed = parseBody(clusterTemplateAttributes, body, { mandatory: false });
  enforce(options.policy, caller, 'clustertemplate:create');
  const projectId = owningProject(caller);
  const given = new Given(parsed);
  const [isPublic, hidden] = [given.flag('public') ?? false, given.flag('hidden') ?? false];
  if (isPublic || hidden) mayPublish(services, caller);
  const sources = await readTemplateSources(services, caller, parsed);
  const refusals = new Refusals({ all: true });
  const groups = groupsOfRequest(parsed, sources);
  refusals.add(groups?.problems ?? []);
  const request = withGroups(clusterTemplateRequest(parsed), groups, given.flag('merge_nodegroups') ?? false);
  refusals.add(requestContradictions(request));
  const template = templateOfCluster(overlayClusters([...sourceDrafts(sources), request]));
  const controlPlaneOnly = given.flag('control_plane_only') ?? template.controlPlaneOnly;
  refusals.add(templateRefusals(template, controlPlaneOnly));
  const { distro, driver } = await checked(services, cloud, template.values, refusals);

  const uuid = given.text('uuid') ?? randomUUID();
  const { keypair, ...values } = template.values as Record<string, never>;
  const row = {
    ...values,
    uuid,
    name: given.text('name') ?? drawName('template', Math.random),
    project_id: projectId,
    user_id: caller.userId,
    keypair_id: keypair ?? null,
    cluster_distro: distro,
    labels: JSON.stringify(values['labels'] ?? {}),
    public: isPublic,
    hidden,
    tags: given.text('tags'),
    driver,
    control_plane_only: controlPlaneOnly,
    updated_at: null,
  } as unknown as Insertable<ClusterTemplateTable>;
  const groupRows = template.groups.map((group) =>
    newGroupTemplateRow(group, {
      projectId,
      userId: caller.userId,
      clusterTemplate: { uuid, public: isPublic, hidden },
    }),
  );
  if (dryRun) {
    const resource = {
      ...template.values,
      name: given.text('name'),
      driver,
      control_plane_only: controlPlaneOnly,
    };
    const { keypair: keypairOrigin, ...origins } = template.origins;
    const { keypair: keypairId, ...shown } = resource as Record<string, unknown>;
    return dryRunOf(
      {
        ...shown,
        keypair_id: keypairId ?? null,
        nodegroups: template.groups.map((group) => ({ name: group.name, ...group.values })),
      },
      {
        ...origins,
        ...(keypairOrigin === undefined ? {} : { keypair_id: keypairOrigin }),
        nodegroups: Object.fromEntries(template.groups.map((group) => [group.name, group.origins])),
      },
      refusals.found,
    );
  }
  refusals.settle();
  const inserted = await store.database.transaction().execute(async (transaction) => {
    const made = await insertTemplate(transaction, row);
    if (made !== undefined && groupRows.length > 0)
      await transaction.insertInto('nodegroup_template').values(groupRows).execute();
    return made;
  });
  if (inserted === undefined) throw uuidTaken(uuid);
  return inserted;
}

function templateRefusals(template: TemplateOfCluster, controlPlaneOnly: boolean): Fault[] {
  const faults = clusterTemplateContradictions(template.groups);
  const workers = template.groups.filter(({ values }) => values['role'] !== 'master');
  if (controlPlaneOnly && workers.length > 0) {
    const message = `control_plane_only contradicts the groups of workers ${workers.map(({ name }) => name).join(', ')}.`;
    faults.push(new Fault('invalid_input', message, { field: 'control_plane_only' }));
  }
  return faults;
}

/** What rules and the cloud have to say about that which the template does say. */
async function checked(
  { options }: Services,
  cloud: CloudLookup,
  values: Values,
  refusals: Refusals,
): Promise<{ distro: string | null; driver: string | null }> {
  const text = (name: string): string | null => (values[name] as string | null | undefined) ?? null;
  await checkTemplateRules(
    {
      coe: text('coe') ?? 'kubernetes',
      server_type: text('server_type') ?? 'vm',
      network_driver: text('network_driver'),
      volume_driver: text('volume_driver'),
      docker_storage_driver: text('docker_storage_driver'),
      docker_volume_size: (values['docker_volume_size'] as number | null | undefined) ?? null,
      dns_nameserver: text('dns_nameserver'),
    },
    options.networkDrivers,
    refusals,
  );
  let bootVolume = 0;
  await refusals.check(() => {
    bootVolume = bootVolumeSize((values['labels'] as Labels | null) ?? {}, options.defaultBootVolumeSize);
  });
  const flavors = (['flavor_id', 'master_flavor_id'] as const)
    .filter((field) => text(field) !== null)
    .map((field) => ({ ident: text(field), field, bootVolume }));
  const image = text('image_id');
  await checkCloudReferences(
    cloud,
    {
      flavors,
      images: image === null ? [] : [{ ident: image, field: 'image_id' }],
      externalNetwork: text('external_network_id'),
      fixedNetwork: text('fixed_network'),
      fixedSubnet: text('fixed_subnet'),
    },
    refusals,
  );
  let found: { osDistro: string | null; properties: Readonly<Record<string, string>> } | null = null;
  await refusals.check(async () => {
    found = image === null ? null : await cloud.image(image);
  });
  return driverOfTemplate(options.drivers, found, text('driver'), refusals);
}

async function driverOfTemplate(
  drivers: Services['options']['drivers'],
  image: { osDistro: string | null; properties: Readonly<Record<string, string>> } | null,
  asked: string | null,
  refusals: Refusals,
): Promise<{ distro: string | null; driver: string | null }> {
  let driver: string | null = null;
  await refusals.check(() => {
    const byImage = image?.properties['magnum_driver'] ?? null;
    // Without an image nobody knows yet which driver can boot it.
    driver = asked === null && image === null ? null : drivers.nameForTemplate(asked, byImage);
  });
  return { distro: image?.osDistro ?? null, driver };
}
