import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { fillClusters, fillNodeGroups, fillTemplates, withDatabase } from './support/rows.ts';

let service: TestService;
let cluster: string;
const fill = () => ({
  projectId: service.vars['project.demo'] ?? '',
  userId: service.vars['user.demo'] ?? '',
});

beforeAll(async () => {
  service = await startTestService();
  await withDatabase(service.connectionString, async (client) => {
    await fillClusters(client, { ...fill(), count: 1000 });
    await fillTemplates(client, { ...fill(), count: 1000 });
    const { rows } = await client.query<{ uuid: string }>('select uuid from cluster limit 1');
    cluster = rows[0]?.uuid ?? '';
    await fillNodeGroups(client, cluster, 998);
  });
});
afterAll(() => service.close());

interface Listing {
  path(): string;
  key: string;
  table: string;
  more(): Promise<unknown>;
  sortKeys: readonly string[];
}

const common = [
  'id',
  'uuid',
  'name',
  'project_id',
  'labels',
  'flavor_id',
  'docker_volume_size',
  'created_at',
  'updated_at',
];

const listings: Record<string, Listing> = {
  clusters: {
    path: () => '/v1/clusters',
    key: 'clusters',
    table: 'cluster',
    more: () =>
      withDatabase(service.connectionString, (client) => fillClusters(client, { ...fill(), count: 3 })),
    sortKeys: [
      ...common,
      ...'user_id cluster_template_id keypair master_flavor_id stack_id api_address status status_reason'.split(
        ' ',
      ),
      ...'health_status health_status_reason create_timeout discovery_url coe_version container_version'.split(
        ' ',
      ),
      ...'ca_cert_ref magnum_cert_ref etcd_ca_cert_ref front_proxy_ca_cert_ref fixed_network'.split(' '),
      ...'fixed_subnet floating_ip_enabled master_lb_enabled'.split(' '),
    ],
  },
  templates: {
    path: () => '/v1/clustertemplates',
    key: 'clustertemplates',
    table: 'cluster_template',
    more: () =>
      withDatabase(service.connectionString, (client) => fillTemplates(client, { ...fill(), count: 3 })),
    sortKeys: [
      ...common,
      ...'user_id coe image_id master_flavor_id dns_nameserver keypair_id external_network_id'.split(' '),
      ...'fixed_network fixed_subnet network_driver apiserver_port docker_storage_driver cluster_distro'.split(
        ' ',
      ),
      ...'http_proxy https_proxy no_proxy volume_driver registry_enabled tls_disabled public'.split(' '),
      ...'server_type insecure_registry master_lb_enabled floating_ip_enabled hidden tags driver'.split(' '),
    ],
  },
  'node groups': {
    path: () => `/v1/clusters/${cluster}/nodegroups`,
    key: 'nodegroups',
    table: 'nodegroup',
    more: () => withDatabase(service.connectionString, (client) => fillNodeGroups(client, cluster, 3)),
    sortKeys: [
      ...common,
      ...'image_id node_addresses node_count role max_node_count min_node_count is_default stack_id'.split(
        ' ',
      ),
      ...'status status_reason version node_labels node_taints'.split(' '),
    ],
  },
};

type Item = { uuid: string };

/** Follows `next` to the end as clients do, while something else happens between the pages. */
async function walk(
  start: string,
  key: string,
  between: (page: Item[]) => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = [];
  let path: string | undefined = start;
  while (path !== undefined) {
    const { status, body, text } = await service.request('demo', 'GET', path);
    if (status !== 200) throw new Error(text);
    seen.push(...body[key].map(({ uuid }: Item) => uuid));
    path = body.next === undefined ? undefined : new URL(body.next).pathname + new URL(body.next).search;
    if (path !== undefined) await between(body[key]);
  }
  return seen;
}

/** The order that is promised: those without a value are less than all others, and ties are told apart by age. */
async function promised({ table }: Listing, key: string, dir: string): Promise<string[]> {
  const where = table === 'nodegroup' ? `where cluster_uuid = '${cluster}'` : '';
  const order = `"${key}" ${dir} nulls ${dir === 'asc' ? 'first' : 'last'}, id ${dir}`;
  const { rows } = await withDatabase(service.connectionString, (client) =>
    client.query<Item>(`select uuid from ${table} ${where} order by ${order}`),
  );
  return rows.map(({ uuid }) => uuid);
}

describe.each(Object.entries(listings))('paging over 1,000 %s', (_name, listing) => {
  test.each(['asc', 'desc'])(
    'by every sort key, %s, visits each once and in order, through ties and missing values',
    async (dir) => {
      for (const key of listing.sortKeys) {
        const start = `${listing.path()}?limit=400&sort_key=${key}&sort_dir=${dir}`;
        const seen = await walk(start, listing.key, () => Promise.resolve());
        expect([key, new Set(seen).size]).toEqual([key, 1000]);
        expect(seen).toEqual(await promised(listing, key, dir));
      }
    },
  );
});

describe.each(Object.entries(listings))('paging over %s that come and go meanwhile', (_name, listing) => {
  test.each([
    ['id', 'asc'],
    ['name', 'asc'],
    ['flavor_id', 'desc'],
    ['labels', 'asc'],
    ['updated_at', 'desc'],
  ])('by %s, %s, still visits each that stays exactly once', async (key, dir) => {
    const removed: string[] = [];
    const before = await walk(`${listing.path()}?limit=1000`, listing.key, () => Promise.resolve());
    const start = `${listing.path()}?limit=300&sort_key=${key}&sort_dir=${dir}`;
    const seen = await walk(start, listing.key, async (page) => {
      await listing.more();
      // Of the page that was read; the last one is the marker of the next.
      const gone = page.find(({ uuid }) => uuid !== cluster)?.uuid ?? '';
      removed.push(gone);
      await withDatabase(service.connectionString, (client) =>
        client.query(`delete from ${listing.table} where uuid = $1`, [gone]),
      );
    });
    expect(removed.length).toBeGreaterThanOrEqual(3);
    expect(new Set(seen).size).toBe(seen.length);
    const stayed = before.filter((uuid) => !removed.includes(uuid));
    expect(stayed.filter((uuid) => !seen.includes(uuid))).toEqual([]);
  });
});
