import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  emptyClusterDraft,
  resolveCluster,
  type ClusterDraft,
  type ClusterSpec,
  type NodeGroupSpec,
} from '@jeroboam/domain';
import {
  asSource,
  clusterRow,
  configurationOf,
  drafts,
  frozen,
  fromSource,
  fromTemplate,
  groupRow,
  masterRow,
  requests,
  rowsOf,
  throughTemplate,
  wholeClusters,
  type Rows,
} from '../support/specs.ts';

/** The operator's own defaults must not creep into what a source says. */
const settings = { defaults: { network_driver: 'flannel' } };
const resolve = (source: ClusterDraft, request: ClusterDraft = emptyClusterDraft) =>
  resolveCluster([source], request, settings);
const cloneOf = (rows: Rows): Rows => rowsOf(resolve(asSource(rows)));
const rebuilt = (rows: Rows): Rows => rowsOf(resolve(throughTemplate(asSource(rows))));

describe('a clone', () => {
  test('has every attribute of its source and all its groups with every attribute', () => {
    fc.assert(
      fc.property(wholeClusters, (rows) => {
        const made = resolve(asSource(rows));
        expect(made.problems).toStrictEqual([]);
        expect(rowsOf(made).cluster).toStrictEqual({ ...rows.cluster, name: null });
        expect(rowsOf(made).groups).toStrictEqual(rows.groups);
      }),
      { numRuns: 200 },
    );
  });

  test('of a clone equals the clone', () => {
    fc.assert(
      fc.property(wholeClusters, requests, (rows, request) => {
        const clone = rowsOf(resolve(asSource(rows), request));
        expect(cloneOf(clone)).toStrictEqual({ ...clone, cluster: { ...clone.cluster, name: null } });
      }),
      { numRuns: 200 },
    );
  });

  test('says that everything but what nobody can inherit comes from the source', () => {
    fc.assert(
      fc.property(wholeClusters, (rows) => {
        const { origins, groups } = resolve(asSource(rows));
        const { name, node_count: nodes, ...others } = origins;
        expect(name).toStrictEqual({ kind: 'default' });
        const hasDefaults = groups.some(({ spec }) => spec.name === 'default-worker');
        expect(nodes).toStrictEqual(hasDefaults ? fromSource : { kind: 'default' });
        for (const origin of Object.values(others)) expect(origin).toStrictEqual(fromSource);
        for (const group of groups)
          for (const origin of Object.values(group.origins)) expect(origin).toStrictEqual(fromSource);
      }),
    );
  });
});

/**
 * Where a template counts its default workers and the request puts a group that says no number in their place. In a
 * cluster the number is the group's, and goes with it.
 */
function replacesCounted(template: ClusterDraft, request: ClusterDraft): boolean {
  const defaults = request.workers?.find(({ name }) => name === 'default-worker');
  const isCounted = typeof template.values['node_count'] === 'number';
  return isCounted && !request.mergesWorkers && defaults !== undefined && !('node_count' in defaults.values);
}

describe('overriding', () => {
  test('the same twice is overriding once', () => {
    fc.assert(
      fc.property(wholeClusters, requests, (rows, request) => {
        const once = rowsOf(resolve(asSource(rows), request));
        expect(rowsOf(resolve(asSource(once), request))).toStrictEqual(once);
      }),
      { numRuns: 200 },
    );
  });

  test('the same twice is overriding once, whatever template it began with', () => {
    fc.assert(
      fc.property(drafts(fromTemplate), requests, (template, request) => {
        fc.pre(!replacesCounted(template, request));
        const once = rowsOf(resolve(template, request));
        expect(rowsOf(resolve(asSource(once), request))).toStrictEqual(once);
      }),
      { numRuns: 200 },
    );
  });

  test('changes neither the sources nor the request', () => {
    fc.assert(
      fc.property(wholeClusters, drafts(fromTemplate), requests, (rows, template, request) => {
        frozen(rows);
        frozen(template);
        frozen(request);
        expect(() => resolve(asSource(rows), request)).not.toThrow();
        expect(() => resolve(template, request)).not.toThrow();
        expect(() => throughTemplate(asSource(rows))).not.toThrow();
      }),
    );
  });
});

describe('a template made from a cluster', () => {
  test('makes clusters of the same configuration', () => {
    fc.assert(
      fc.property(wholeClusters, (rows) => {
        const [made, wanted] = [configurationOf(rebuilt(rows)), configurationOf(rows)];
        expect(made.groups).toStrictEqual(wanted.groups);
        const lifted = liftedFrom(rows);
        for (const [name, value] of Object.entries(wanted.cluster))
          expect([name, made.cluster[name]]).toStrictEqual([name, lifted.has(name) ? null : value]);
      }),
      { numRuns: 200 },
    );
  });

  test('and changed by a request makes the same clusters as the request itself makes from the cluster', () => {
    fc.assert(
      fc.property(wholeClusters, requests, (rows, request) => {
        fc.pre(liftedFrom(rows).size === 0);
        const straight = configurationOf(rowsOf(resolve(asSource(rows), request)));
        const around = configurationOf(rowsOf(resolve(throughTemplate(asSource(rows)), request)));
        expect(around).toStrictEqual(straight);
      }),
      { numRuns: 200 },
    );
  });

  test('made from a template made from it is the same template', () => {
    fc.assert(
      fc.property(wholeClusters, (rows) => {
        const once = throughTemplate(asSource(rows));
        expect(throughTemplate(once)).toStrictEqual(once);
      }),
    );
  });
});

/** What the cluster has and one of its groups has none of: a template says it of the groups alone. */
function liftedFrom({ cluster, groups }: Rows): Set<string> {
  const isDefault = (name: unknown): boolean => name === 'default-master' || name === 'default-worker';
  const hasNone = (attribute: string, all: boolean): boolean =>
    groups.some((group) => (all || isDefault(group['name'])) && group[attribute] === null);
  return new Set([
    ...(cluster['kubernetes_version'] !== null && hasNone('kubernetes_version', true)
      ? ['kubernetes_version']
      : []),
    ...(cluster['docker_volume_size'] !== null && hasNone('docker_volume_size', false)
      ? ['docker_volume_size']
      : []),
  ]);
}

describe('what is easily lost on the way', () => {
  type Case = [string, Partial<ClusterSpec>, Partial<NodeGroupSpec>[]];
  test.each<Case>([
    ['an empty map of labels under a labelled cluster', { labels: { a: '1' } }, [{ labels: {} }]],
    ['labels under a cluster without any', {}, [{ labels: { a: '1' } }]],
    ['an upper bound of 0', {}, [{ max_node_count: 0 }]],
    ['no upper bound', {}, [{ max_node_count: null }]],
    ['a group without nodes', {}, [{ node_count: 0 }]],
    ['a time limit of 0', { create_timeout: 0 }, [{}]],
    ['a role that is another word', {}, [{ role: 'infra' }]],
    ['an image of its own', {}, [{ image_id: 'other' }]],
    ['a volume that only the default workers have', {}, [{ docker_volume_size: 5 }]],
    ['a volume that only an added group has', {}, [{}, { name: 'gpu', docker_volume_size: 5 }]],
    [
      'a group beside the cluster’s volume',
      { docker_volume_size: 5 },
      [{ docker_volume_size: 5 }, { name: 'gpu' }],
    ],
    ['a version that only a group has', {}, [{}, { name: 'gpu', kubernetes_version: 'v1.30.2' }]],
    ['the order of groups', {}, [{ name: 'zebra' }, { name: 'default-worker' }, { name: 'ant' }]],
    ['a cluster without default workers', {}, [{ name: 'gpu' }]],
    ['a control plane alone', {}, []],
    ['flags that are off', { floating_ip_enabled: false, registry_enabled: false }, [{}]],
    [
      'a bound set by hand under a label',
      { labels: { min_node_count: '1' } },
      [{ node_count: 3, labels: { min_node_count: '1' } }],
    ],
  ])('keeps %s', (_what, cluster, workers) => {
    const masters = masterRow({
      labels: cluster.labels ?? {},
      docker_volume_size: cluster.docker_volume_size ?? null,
    });
    const groups = [masters, ...workers.map((worker) => groupRow(worker))];
    const count = groups.slice(1).reduce((sum, group) => sum + Number(group['node_count']), 0);
    const rows = { cluster: clusterRow({ ...cluster, name: null, node_count: count }), groups };
    expect(cloneOf(rows)).toStrictEqual(rows);
    expect(rebuilt(rows)).toStrictEqual(rows);
  });

  test('keeps a creation without a time limit without one', () => {
    const rows = { cluster: clusterRow({ create_timeout: null }), groups: [masterRow(), groupRow()] };
    expect(cloneOf(rows).cluster['create_timeout']).toBeNull();
    expect(rebuilt(rows).cluster['create_timeout']).toBe(0);
  });

  test('keeps a group without what its cluster has', () => {
    const rows = {
      cluster: clusterRow({ docker_volume_size: 10, kubernetes_version: 'v1.31.4' }),
      groups: [
        masterRow({ docker_volume_size: 10, kubernetes_version: 'v1.31.4' }),
        groupRow(),
        groupRow({ name: 'gpu', kubernetes_version: 'v1.31.4' }),
      ],
    };
    expect(cloneOf(rows).groups).toStrictEqual(rows.groups);
    expect(rebuilt(rows).groups).toStrictEqual(rows.groups);
  });
});
