import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clusterDraftOf,
  draftOf,
  emptyClusterDraft,
  emptyDraft,
  nodeGroupAsSource,
  open,
  resolveCluster,
  resolveNodeGroup,
  type ClusterDraft,
  type Origins,
  type Values,
} from '@jeroboam/domain';
import { fields, fromRow, groupOf, magnum, names, request } from '../support/resolving.ts';
import {
  asSource,
  byDefault,
  byRequest,
  clusterNames,
  clusterRow,
  drafts,
  fromGroupTemplate,
  fromSource,
  fromTemplate,
  groupNames,
  groupRow,
  masterRow,
  requests,
  wholeClusters,
} from '../support/specs.ts';

describe('every resolution', () => {
  const originsAreRight = (origins: Origins, attributes: readonly string[]) => {
    expect(Object.keys(origins).toSorted()).toStrictEqual(attributes.toSorted());
  };

  test('gives each attribute a value and an origin', () => {
    fc.assert(
      fc.property(drafts(fromTemplate), requests, (source, override) => {
        const { spec, origins, groups } = resolveCluster([source], override);
        expect(Object.keys(spec).toSorted()).toStrictEqual(clusterNames.toSorted());
        originsAreRight(origins, clusterNames);
        expect(Object.values(spec)).not.toContain(undefined);
        expect(Object.values(spec)).not.toContain(open);
        for (const group of groups) {
          expect(Object.keys(group.spec).toSorted()).toStrictEqual(groupNames.toSorted());
          expect(Object.values(group.spec)).not.toContain(open);
          originsAreRight(group.origins, groupNames);
        }
      }),
    );
  });

  test('lets the request win wherever it says something', () => {
    fc.assert(
      fc.property(wholeClusters, requests, (rows, override) => {
        const made = resolveCluster([asSource(rows)], override);
        const counted = new Set(['node_count', 'master_count', 'labels']);
        for (const [name, value] of Object.entries(override.values)) {
          if (value === open || counted.has(name)) continue;
          expect((made.spec as unknown as Values)[name]).toStrictEqual(value);
          expect(made.origins[name]).toStrictEqual(byRequest);
        }
        for (const group of override.workers ?? []) {
          const { spec, origins } = groupOf(made, group.name);
          for (const [name, value] of Object.entries(group.values)) {
            if (value === open || name === 'labels') continue;
            expect((spec as unknown as Values)[name]).toStrictEqual(value);
            expect(origins[name]).toStrictEqual(byRequest);
          }
        }
      }),
    );
  });

  test('has the control plane first, and each group once', () => {
    fc.assert(
      fc.property(drafts(fromTemplate), requests, (source, override) => {
        const made = names(resolveCluster([source], override));
        expect(made[0]).toBe('default-master');
        expect(new Set(made).size).toBe(made.length);
      }),
    );
  });
});

describe('what nobody says', () => {
  const made = resolveCluster([], request());

  test('is as it is by default', () => {
    expect(made.spec).toMatchObject({
      name: null,
      master_count: 1,
      node_count: 1,
      labels: {},
      coe: 'kubernetes',
      create_timeout: 60,
      floating_ip_enabled: true,
      master_lb_enabled: false,
      server_type: 'vm',
      tls_disabled: false,
      registry_enabled: false,
    });
    for (const origin of Object.values(made.origins)) expect(origin).toStrictEqual(byDefault);
  });

  test('is as the operator decides where that is another default', () => {
    const { spec, origins } = resolveCluster([], request(), { defaults: { network_driver: 'cilium' } });
    expect(spec.network_driver).toBe('cilium');
    expect(origins['network_driver']).toStrictEqual(byDefault);
    const source = resolveCluster([fromRow()], request(), { defaults: { network_driver: 'cilium' } });
    expect(source.spec.network_driver).toBe('calico');
  });

  test('makes one master and one default worker, as Magnum does', () => {
    const whole = resolveCluster([fromRow()], magnum({}));
    expect(whole.problems).toStrictEqual([]);
    expect(whole.groups.map(({ spec }) => spec)).toStrictEqual([
      masterRow({ flavor_id: 'medium' }),
      groupRow({ flavor_id: 'small' }),
    ]);
  });
});

describe('what is missing', () => {
  test('is named all at once: the image and each flavor', () => {
    const made = resolveCluster([], request({}, [{ name: 'default-worker' }, { name: 'gpu' }]));
    expect(fields(made)).toStrictEqual([
      'image_id',
      'master_flavor_id',
      'nodegroups/default-worker/flavor_id',
      'nodegroups/gpu/flavor_id',
    ]);
    for (const problem of made.problems) {
      expect(problem.status).toBe(400);
      expect(problem.message).toMatch(new RegExp(`^${problem.field} is missing: give the `));
    }
  });

  test('is told together with what is contradictory', () => {
    const items = [{ name: 'gpu', flavor_id: 'big', availability_zones: ['x', 'x'], min_node_count: 4 }];
    expect(fields(resolveCluster([], request({ master_count: 3 }, items)))).toStrictEqual([
      'image_id',
      'master_flavor_id',
      'master_count',
      'nodegroups/gpu/min_node_count',
      'nodegroups/gpu/availability_zones',
    ]);
  });

  test.each<[string, Values, number]>([
    ['a volume to boot from', { root_volume: { size: 20 } }, 0],
    ['a label that says so', { labels: { boot_volume_size: '20' } }, 0],
    ['the operator’s volume', {}, 20],
  ])('is no flavor where the nodes have %s', (_what, item, size) => {
    const items = [{ name: 'gpu', ...item }];
    const body = { image_id: 'ubuntu', master_flavor_id: 'medium' };
    const made = resolveCluster([], request(body, items), { defaultBootVolumeSize: size });
    expect(made.problems).toStrictEqual([]);
  });

  test('is a flavor where the label of a boot volume is no number', () => {
    const items = [{ name: 'gpu', labels: { boot_volume_size: 'large' } }];
    const made = resolveCluster([], request({ image_id: 'u', master_flavor_id: 'm' }, items));
    expect(fields(made)).toStrictEqual(['nodegroups/gpu/flavor_id']);
  });

  test('is not the image or flavor that the default groups say: the cluster shows theirs and others follow', () => {
    const items = [
      { name: 'default-master', image_id: 'ubuntu', flavor_id: 'medium' },
      { name: 'gpu' },
      { name: 'default-worker', flavor_id: 'small' },
    ];
    const made = resolveCluster([], request({}, items));
    expect(made.problems).toStrictEqual([]);
    expect(made.spec).toMatchObject({ image_id: 'ubuntu', flavor_id: 'small', master_flavor_id: 'medium' });
    expect(made.origins).toMatchObject({ image_id: byRequest, flavor_id: byRequest });
    expect(groupOf(made, 'gpu').spec).toMatchObject({ image_id: 'ubuntu', flavor_id: 'small' });
  });

  test('is not made up for the cluster from what a group alone says of volumes and versions', () => {
    const items = [{ name: 'default-worker', docker_volume_size: 9, kubernetes_version: 'v1.30.2' }];
    const made = resolveCluster([fromRow()], request({}, items));
    expect(made.spec).toMatchObject({ docker_volume_size: null, kubernetes_version: null });
    expect(groupOf(made, 'default-master').spec).toMatchObject({
      docker_volume_size: null,
      kubernetes_version: null,
    });
  });
});

describe('the workers of a cluster', () => {
  const source = asSource({
    cluster: clusterRow(),
    groups: [masterRow(), groupRow({ node_count: 5 }), groupRow({ name: 'gpu', node_count: 2 })],
  });

  test('are none when the list is empty', () => {
    expect(names(resolveCluster([source], request({}, [])))).toStrictEqual(['default-master']);
    expect(names(resolveCluster([], request({}, [])))).toStrictEqual(['default-master']);
  });

  test('are the source’s when none are listed', () => {
    expect(names(resolveCluster([source], request()))).toStrictEqual([
      'default-master',
      'default-worker',
      'gpu',
    ]);
  });

  test('are those listed, in their order, in place of the source’s', () => {
    const made = resolveCluster([source], request({}, [{ name: 'z' }, { name: 'gpu' }]));
    expect(names(made)).toStrictEqual(['default-master', 'z', 'gpu']);
    expect(groupOf(made, 'gpu').spec.node_count).toBe(1);
  });

  test('are laid over the source’s by name when they are merged', () => {
    const items = [{ name: 'z' }, { name: 'gpu', flavor_id: 'big' }];
    const made = resolveCluster([source], request({}, items, true));
    expect(names(made)).toStrictEqual(['default-master', 'default-worker', 'gpu', 'z']);
    expect(groupOf(made, 'gpu').spec).toMatchObject({ node_count: 2, flavor_id: 'big' });
  });

  test('are merged with Magnum’s default group when there is no other', () => {
    const made = resolveCluster([fromRow()], request({}, [{ name: 'gpu' }], true));
    expect(names(made)).toStrictEqual(['default-master', 'default-worker', 'gpu']);
  });

  test('are not replaced by a control plane in a list that is merged', () => {
    const made = resolveCluster([source], request({}, [{ name: 'default-master', flavor_id: 'big' }], true));
    expect(names(made)).toStrictEqual(['default-master', 'default-worker', 'gpu']);
    expect(groupOf(made, 'default-master').spec.flavor_id).toBe('big');
  });

  test('have the role of their source or simply that of workers', () => {
    const infra = nodeGroupAsSource(groupRow({ name: 'infra', role: 'infra' }), fromSource);
    const made = resolveCluster([source], request({}, [{ name: 'a', source: infra }, { name: 'b' }]));
    expect(made.groups.map(({ spec }) => spec.role)).toStrictEqual(['master', 'infra', 'worker']);
  });

  test.each([true, false])(
    'are those of a template, or none when it says so (control_plane_only: %s)',
    (only) => {
      const made = resolveCluster([fromRow({ control_plane_only: only })], request());
      expect(names(made)).toStrictEqual(only ? ['default-master'] : ['default-master', 'default-worker']);
    },
  );

  test('are those of a template with groups, which need not be Magnum’s', () => {
    const made = resolveCluster([fromRow({}, [{ name: 'gpu', node_count: 3 }])], request());
    expect(names(made)).toStrictEqual(['default-master', 'gpu']);
    expect(groupOf(made, 'gpu').origins['node_count']).toStrictEqual(fromGroupTemplate);
  });

  test('are Magnum’s where a template has a control plane only among its groups', () => {
    const made = resolveCluster([fromRow({}, [{ name: 'cp', role: 'master', flavor_id: 'big' }])], request());
    expect(names(made)).toStrictEqual(['default-master', 'default-worker']);
    expect(groupOf(made, 'default-master').spec).toMatchObject({ role: 'master', flavor_id: 'big' });
  });
});

describe('a number of workers', () => {
  const alone = fromRow({ control_plane_only: true });
  const gpu = fromRow({}, [{ name: 'gpu' }]);

  test.each<[string, ClusterDraft, ClusterDraft, string[]]>([
    ['with a control plane alone', alone, request({ node_count: 2 }), ['default-worker']],
    ['with other groups', gpu, request({ node_count: 2 }), ['gpu', 'default-worker']],
    ['as Magnum sends it', alone, magnum({ node_count: 2 }), ['default-worker']],
    [
      'with groups that are merged',
      gpu,
      request({ node_count: 2 }, [{ name: 'z' }], true),
      ['gpu', 'z', 'default-worker'],
    ],
  ])('asked for %s makes the group that Magnum’s clients know', (_what, source, override, workers) => {
    const made = resolveCluster([source], override);
    expect(made.problems).toStrictEqual([]);
    expect(names(made)).toStrictEqual(['default-master', ...workers]);
    expect(groupOf(made, 'default-worker').spec.node_count).toBe(2);
  });

  test('that is left open makes none', () => {
    expect(names(resolveCluster([alone], request({ node_count: null })))).toStrictEqual(['default-master']);
  });

  test('is the default group’s, wherever it is said', () => {
    const source = fromRow({ node_count: 4, master_count: 3, master_lb_enabled: true });
    const made = resolveCluster([source], request());
    expect(made.spec).toMatchObject({ node_count: 4, master_count: 3 });
    expect(groupOf(made, 'default-worker').spec.node_count).toBe(4);
    expect(groupOf(made, 'default-master').spec.node_count).toBe(3);
    const items = [{ name: 'default-worker', node_count: 6 }];
    expect(resolveCluster([source], request({}, items)).spec.node_count).toBe(6);
  });
});

describe('the fewest nodes of the default workers', () => {
  const labelled = (value: string, count: number, name = 'default-worker') =>
    groupOf(
      resolveCluster(
        [fromRow({ labels: { min_node_count: value } })],
        request({}, [{ name, node_count: count }]),
      ),
      name,
    );

  test('are said by a label, and come from where it comes from', () => {
    const { spec, origins } = labelled('2', 5);
    expect(spec.min_node_count).toBe(2);
    expect(origins['min_node_count']).toStrictEqual(fromTemplate);
  });

  test.each<[string, string, number, number]>([
    ['are never more than there are nodes', '7', 5, 5],
    ['are none when the label is no number', 'many', 5, 0],
    ['are none when the label is below zero', '-1', 5, 0],
    ['are none when the label is a fraction', '1.5', 5, 0],
  ])('%s', (_what, label, count, fewest) => {
    expect(labelled(label, count).spec.min_node_count).toBe(fewest);
  });

  test('are no concern of other groups', () => {
    expect(labelled('2', 5, 'gpu').spec.min_node_count).toBe(0);
  });

  test('are as the group says itself, where it does', () => {
    const items = [{ name: 'default-worker', node_count: 5, min_node_count: 0 }];
    const made = resolveCluster([fromRow({ labels: { min_node_count: '2' } })], request({}, items));
    expect(groupOf(made, 'default-worker').spec.min_node_count).toBe(0);
  });
});

describe('a group added to a cluster', () => {
  const cluster = draftOf(
    { image_id: 'ubuntu', flavor_id: 'small', labels: { a: '1' }, docker_volume_size: 9 },
    fromSource,
  );

  test('takes from it what it does not say', () => {
    const made = resolveNodeGroup(cluster, [], { name: 'gpu', ...draftOf({ node_count: 2 }, byRequest) });
    expect(made.problems).toStrictEqual([]);
    expect(made.spec).toStrictEqual(
      groupRow({ name: 'gpu', flavor_id: 'small', labels: { a: '1' }, node_count: 2 }),
    );
    expect(made.origins).toMatchObject({ image_id: fromSource, node_count: byRequest, role: byDefault });
  });

  test('says what is missing and contradictory all at once', () => {
    const own = draftOf({ min_node_count: 3, availability_zones: ['x', 'x'] }, byRequest);
    const made = resolveNodeGroup(emptyDraft, [], { name: 'gpu', ...own });
    expect(made.problems.map(({ field }) => field)).toStrictEqual([
      'image_id',
      'flavor_id',
      'min_node_count',
      'availability_zones',
    ]);
  });

  test('is like its source but for what it says', () => {
    const source = nodeGroupAsSource(
      groupRow({ role: 'infra', node_count: 4, image_id: 'gpu-os' }),
      fromSource,
    );
    const made = resolveNodeGroup(cluster, [source], {
      name: 'gpu',
      ...draftOf({ node_count: 2 }, byRequest),
    });
    expect(made.spec).toStrictEqual(
      groupRow({ name: 'gpu', role: 'infra', node_count: 2, image_id: 'gpu-os' }),
    );
  });
});

test('a cluster of nothing but a request is made of that request', () => {
  const body = { name: 'prod', image_id: 'ubuntu', flavor_id: 'small', master_flavor_id: 'medium' };
  const made = resolveCluster([emptyClusterDraft, clusterDraftOf(emptyDraft)], request(body));
  expect(made.problems).toStrictEqual([]);
  expect(made.spec).toMatchObject(body);
  for (const name of Object.keys(body)) expect(made.origins[name]).toStrictEqual(byRequest);
});
