import { makeCluster, makeTemplate, settled } from '../../support/clusters.ts';
import type { Person, TestAnswer, TestService } from '../../support/test-service.ts';

/** The media type of what goes beyond Magnum. */
export const extensions = 'application/vnd.jeroboam.v1+json';

/** All that makes a cluster, without any source. */
export const wholeCluster = {
  coe: 'kubernetes',
  image_id: 'ubuntu-kube-v1.31',
  flavor_id: 'm1.small',
  master_flavor_id: 'm1.medium',
  external_network_id: 'public',
  keypair: 'default',
  network_driver: 'calico',
  labels: { monitoring_enabled: 'true' },
};

/** A group with every attribute a group can have, none of them at its default. */
export const wholeGroup = {
  role: 'gpu',
  node_count: 2,
  min_node_count: 1,
  max_node_count: 5,
  flavor_id: 'm1.large',
  image_id: 'ubuntu-kube-v1.31',
  docker_volume_size: 7,
  labels: { group_label: 'own' },
  node_labels: { tier: 'gpu' },
  node_taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
  root_volume: { size: 40, type: 'ssd' },
  data_volumes: [{ name: 'scratch', size: 100, mount_path: '/var/scratch' }],
  availability_zones: ['nova', 'az2'],
  networks: [{ network: 'public' }],
  security_groups: ['monitoring'],
  server_group_policy: 'soft-anti-affinity',
  update_strategy: 'in-place',
};

export type Body = Record<string, unknown>;

/** What identifies a resource or tells how it fares, as opposed to what it is made of. */
const notConfiguration = new Set([
  'id',
  'uuid',
  'name',
  'cluster_id',
  'cluster_uuid',
  'cluster_template_id',
  'project_id',
  'user_id',
  'links',
  'stack_id',
  'status',
  'status_reason',
  'health_status',
  'health_status_reason',
  'api_address',
  'node_addresses',
  'master_addresses',
  'created_at',
  'updated_at',
  'version',
  'labels_added',
  'labels_overridden',
  'labels_skipped',
  'nodegroups',
]);

const withoutIdentity = (resource: Body): Body =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => !notConfiguration.has(name)));

export interface Configuration {
  cluster: Body;
  groups: Record<string, Body>;
}

/** A world of one service in which clusters and templates are made and looked at. */
export class World {
  readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  /** Sends a request; a status other than expected fails with what was answered. */
  async ask(
    person: Person,
    method: string,
    path: string,
    body: unknown,
    status: number,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> {
    const answer = await this.service.request(person, method, path, body, headers);
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status}, not ${status}: ${answer.text}`);
    return answer;
  }

  /** Makes a cluster in any way and waits until it is complete. */
  async cluster(body: Body, person: Person = 'demo'): Promise<string> {
    const answer = await this.ask(person, 'POST', '/v1/clusters', body, 202);
    const uuid = answer.body.uuid as string;
    const ready = await settled(this.service, person, uuid);
    if (ready.body.status !== 'CREATE_COMPLETE') throw new Error(`${uuid} is ${ready.text}`);
    return uuid;
  }

  async template(body: Body, person: Person = 'demo'): Promise<string> {
    return (await this.ask(person, 'POST', '/v1/clustertemplates', body, 201)).body.uuid as string;
  }

  async groupTemplate(body: Body, person: Person = 'demo'): Promise<string> {
    return (await this.ask(person, 'POST', '/v1/nodegrouptemplates', body, 201)).body.uuid as string;
  }

  /** A template as any client of Magnum makes it. */
  magnumTemplate(body: Body = {}, person: Person = 'demo'): Promise<string> {
    return makeTemplate(this.service, person, body);
  }

  magnumCluster(template: string, body: Body = {}, person: Person = 'demo'): Promise<string> {
    return makeCluster(this.service, person, template, body);
  }

  /** A resource with every attribute. */
  async whole(path: string, person: Person = 'demo'): Promise<TestAnswer['body']> {
    return (await this.ask(person, 'GET', path, undefined, 200, { accept: extensions })).body;
  }

  /** What a cluster is made of: its attributes and those of its groups by name. */
  async configuration(cluster: string, person: Person = 'demo'): Promise<Configuration> {
    const whole = await this.whole(`/v1/clusters/${cluster}`, person);
    const groups = whole.nodegroups as Body[];
    return {
      cluster: withoutIdentity(whole),
      groups: Object.fromEntries(groups.map((group) => [String(group['name']), withoutIdentity(group)])),
    };
  }

  /** The names of a cluster's groups in the order of their making. */
  async groupNames(cluster: string, person: Person = 'demo'): Promise<string[]> {
    const list = await this.ask(person, 'GET', `/v1/clusters/${cluster}/nodegroups`, undefined, 200);
    return (list.body.nodegroups as Body[]).map(({ name }) => String(name));
  }
}
