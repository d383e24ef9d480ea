import type { Attribute } from '@jeroboam/domain';
import { startRecordedService, type RecordedService } from '../../conductor/support/recorded-service.ts';
import { withDatabase } from '../../store/support/rows.ts';
import { settled } from '../../support/clusters.ts';
import type { Person, TestAnswer } from '../../support/test-service.ts';

/** The media type of what goes beyond Magnum. */
export const extensionType = 'application/vnd.jeroboam.v1+json';

/** One operation of a patch; without a value it takes away. */
export const set = (attribute: string, value?: unknown): Record<string, unknown> =>
  value === undefined
    ? { op: 'remove', path: `/${attribute}` }
    : { op: 'replace', path: `/${attribute}`, value };

/** How drivers call an attribute. */
export const asDriversSay = (attribute: string): string =>
  attribute.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

export const named = (attributes: readonly Attribute[], isMeant: (one: Attribute) => boolean): string[] =>
  attributes.filter(isMeant).map(({ name }) => name);

/** A service whose clusters a test changes in any attribute. */
export class Changes {
  readonly recorded: RecordedService;
  #made = 0;

  private constructor(recorded: RecordedService) {
    this.recorded = recorded;
  }

  static async start(): Promise<Changes> {
    return new Changes(
      await startRecordedService({ change: (options) => ({ ...options, maxClustersPerProject: 1000 }) }),
    );
  }

  close(): Promise<void> {
    return this.recorded.service.close();
  }

  send(method: string, path: string, body?: unknown, person: Person = 'demo'): Promise<TestAnswer> {
    return this.recorded.service.request(person, method, `/v1${path}`, body);
  }

  /** Sends and accepts the media type of the extensions. */
  extended(method: string, path: string, body?: unknown, person: Person = 'demo'): Promise<TestAnswer> {
    const headers = {
      accept: extensionType,
      ...(body === undefined ? {} : { 'content-type': extensionType }),
    };
    return this.recorded.service.request(person, method, `/v1${path}`, body, headers);
  }

  /** A cluster that is complete. */
  async cluster(body: Record<string, unknown> = {}): Promise<string> {
    this.#made += 1;
    const uuid = await this.recorded.accept(`changed-${this.#made}`, { master_lb_enabled: true, ...body });
    await this.settled(uuid);
    return uuid;
  }

  settled(cluster: string): Promise<TestAnswer> {
    return settled(this.recorded.service, 'demo', cluster);
  }

  /** The whole cluster, with its groups by name. */
  async shown(cluster: string): Promise<{ cluster: TestAnswer['body']; groups: TestAnswer['body'] }> {
    const { body } = await this.extended('GET', `/clusters/${cluster}`);
    const groups = Object.fromEntries(body.nodegroups.map((group: { name: string }) => [group.name, group]));
    return { cluster: body, groups };
  }

  /** Everything stored of a cluster but for when it was touched. */
  row(cluster: string): Promise<Record<string, unknown>> {
    return withDatabase(this.recorded.service.connectionString, async (client) => {
      const { rows } = await client.query('select * from cluster where uuid = $1', [cluster]);
      return rows[0];
    });
  }

  groupRow(cluster: string, name: string): Promise<Record<string, unknown>> {
    return withDatabase(this.recorded.service.connectionString, async (client) => {
      const text = 'select * from nodegroup where cluster_uuid = $1 and name = $2';
      const { rows } = await client.query(text, [cluster, name]);
      return rows[0];
    });
  }

  /** What the driver was last told to make. */
  desired(cluster: string): Record<string, unknown> {
    return { ...this.recorded.driver.clusters.get(cluster) };
  }

  desiredGroup(cluster: string, name: string): Record<string, unknown> {
    return { ...this.recorded.driver.clusters.get(cluster)?.nodeGroups.find((group) => group.name === name) };
  }
}

export const detail = (answer: TestAnswer): string => String(answer.body?.errors?.[0].detail);
