import { describe, expect, test } from 'vitest';
import { nodeGroupTemplateAsSource, resolveCluster, type ResolvedCluster } from '@jeroboam/domain';
import { fields, fromRow, groupOf, magnum, request } from '../support/resolving.ts';
import {
  asSource,
  byDefault,
  byRequest,
  clusterRow,
  fromGroupTemplate,
  fromSource,
  groupRow,
  masterRow,
} from '../support/specs.ts';

describe('an attribute of a group', () => {
  const gpuTemplate = nodeGroupTemplateAsSource(
    { name: 'gpu', image_id: 'gpu-os', node_count: 3 },
    fromGroupTemplate,
  );
  const image = (made: ResolvedCluster, name: string) => {
    const { spec, origins } = groupOf(made, name);
    return [spec.image_id, origins['image_id']];
  };

  test('is the cluster’s when nothing else is said', () => {
    const made = resolveCluster([fromRow()], request({ image_id: 'new' }, [{ name: 'gpu' }]));
    expect(image(made, 'gpu')).toStrictEqual(['new', byRequest]);
    expect(image(made, 'default-master')).toStrictEqual(['new', byRequest]);
  });

  test('is its source’s rather than the cluster’s', () => {
    const made = resolveCluster(
      [fromRow()],
      request({ image_id: 'new' }, [{ name: 'gpu', source: gpuTemplate }]),
    );
    expect(image(made, 'gpu')).toStrictEqual(['gpu-os', fromGroupTemplate]);
  });

  test('is what the request says of it rather than its source’s', () => {
    const made = resolveCluster(
      [fromRow()],
      request({}, [{ name: 'gpu', image_id: 'mine', source: gpuTemplate }]),
    );
    expect(image(made, 'gpu')).toStrictEqual(['mine', byRequest]);
    expect(groupOf(made, 'gpu').spec.node_count).toBe(3);
  });

  test('is the cluster’s again when the request leaves open what its source says', () => {
    const source = fromRow({ labels: { a: '1' }, image_id: 'new' }, [
      { name: 'gpu', labels: { own: '1' }, image_id: 'old', max_node_count: 5 },
    ]);
    const items = [{ name: 'gpu', labels: null, image_id: null, max_node_count: null }];
    const made = resolveCluster([source], request({}, items, true));
    expect(groupOf(made, 'gpu').spec).toMatchObject({
      labels: { a: '1' },
      image_id: 'new',
      max_node_count: null,
    });
    expect(groupOf(made, 'gpu').origins['max_node_count']).toStrictEqual(byDefault);
  });

  test('tells who gave it its name', () => {
    const items = [{ name: 'a' }];
    const made = resolveCluster([fromRow()], request({}, items, true));
    expect(groupOf(made, 'a').origins['name']).toStrictEqual(byRequest);
    expect(groupOf(made, 'default-worker').origins['name']).toStrictEqual(byDefault);
    const cloned = resolveCluster([fromRow({}, [{ name: 'gpu' }])], request());
    expect(groupOf(cloned, 'gpu').origins['name']).toStrictEqual(fromGroupTemplate);
  });

  test('is the cluster’s size and volume only for the two default groups', () => {
    const source = fromRow({ docker_volume_size: 9 });
    const made = resolveCluster([source], request({ node_count: 4 }, [{ name: 'gpu' }], true));
    expect(
      made.groups.map(({ spec }) => [spec.name, spec.node_count, spec.docker_volume_size]),
    ).toStrictEqual([
      ['default-master', 1, 9],
      ['default-worker', 4, 9],
      ['gpu', 1, null],
    ]);
  });

  test('merges labels with those of the cluster when it says so', () => {
    const source = nodeGroupTemplateAsSource(
      { name: 'gpu', labels: { b: '2' }, merge_labels: true },
      fromGroupTemplate,
    );
    const items = [
      { name: 'gpu', source },
      { name: 'other', labels: { c: '3' }, merge_labels: true },
      { name: 'own', labels: { d: '4' } },
      { name: 'both', source, labels: { c: '3' }, merge_labels: true },
    ];
    const made = resolveCluster([fromRow({ labels: { a: '1' } })], request({}, items));
    expect(made.groups.slice(1).map(({ spec }) => spec.labels)).toStrictEqual([
      { a: '1', b: '2' },
      { a: '1', c: '3' },
      { d: '4' },
      { a: '1', b: '2', c: '3' },
    ]);
  });
});

describe('what a request says of the cluster', () => {
  const source = asSource({
    cluster: clusterRow({ labels: { a: '1' } }),
    groups: [
      masterRow({ image_id: 'master-os', labels: { a: '1' } }),
      groupRow({ image_id: 'own-os', labels: { own: '1' }, node_count: 5 }),
      groupRow({ name: 'follower', labels: { a: '1' } }),
      groupRow({ name: 'gpu', image_id: 'gpu-os', labels: {} }),
    ],
  });
  const images = (made: ResolvedCluster) => made.groups.map(({ spec }) => spec.image_id);

  test('reaches the default groups and those that follow, not those with their own', () => {
    expect(images(resolveCluster([source], request({ image_id: 'new' })))).toStrictEqual([
      'new',
      'new',
      'new',
      'gpu-os',
    ]);
  });

  test('reaches them also when it leaves the attribute open', () => {
    const made = resolveCluster([source], request({ image_id: null, node_count: null }));
    expect(images(made)).toStrictEqual([null, null, null, 'gpu-os']);
    expect(groupOf(made, 'default-worker').spec.node_count).toBe(1);
    expect(fields(made)).toStrictEqual(['image_id']);
  });

  test('gives way to what it says of the group itself', () => {
    const items = [
      { name: 'default-worker', image_id: 'mine' },
      { name: 'default-master', image_id: 'mine' },
    ];
    expect(images(resolveCluster([source], request({ image_id: 'new' }, items, true)))).toStrictEqual([
      'mine',
      'mine',
      'new',
      'gpu-os',
    ]);
  });

  test('wins over what a default group in the request is made from', () => {
    const made = (name: string) =>
      nodeGroupTemplateAsSource(
        { name, image_id: 'theirs', node_count: 7, labels: { t: '1' } },
        fromGroupTemplate,
      );
    const items = [
      { name: 'default-master', source: made('m') },
      { name: 'default-worker', source: made('w') },
      { name: 'gpu', source: made('gpu') },
    ];
    const body = {
      image_id: 'new',
      node_count: 2,
      labels: { n: '2' },
      merge_labels: true,
      master_lb_enabled: true,
    };
    const whole = resolveCluster([source], request(body, items));
    expect(whole.problems).toStrictEqual([]);
    expect(images(whole)).toStrictEqual(['new', 'new', 'theirs']);
    expect(whole.groups.map(({ spec }) => spec.node_count)).toStrictEqual([7, 2, 7]);
    expect(whole.groups.map(({ spec }) => spec.labels)).toStrictEqual([
      { t: '1', n: '2' },
      { t: '1', n: '2' },
      { t: '1' },
    ]);
  });

  test('adds to labels of the default groups when it merges them, and loses none', () => {
    const made = resolveCluster([source], request({ labels: { n: '2' }, merge_labels: true }));
    expect(made.spec.labels).toStrictEqual({ a: '1', n: '2' });
    expect(made.groups.map(({ spec }) => spec.labels)).toStrictEqual([
      { a: '1', n: '2' },
      { own: '1', n: '2' },
      { a: '1', n: '2' },
      {},
    ]);
  });

  test('wins over the templates of the default groups', () => {
    const groups = [
      { name: 'default-worker', node_count: 5, flavor_id: 'theirs' },
      { name: 'gpu', flavor_id: 'theirs' },
    ];
    const made = resolveCluster([fromRow({}, groups)], magnum({ node_count: 2, flavor_id: 'mine' }));
    expect(groupOf(made, 'default-worker').spec).toMatchObject({ node_count: 2, flavor_id: 'mine' });
    expect(groupOf(made, 'gpu').spec.flavor_id).toBe('theirs');
  });

  test('is shown as the cluster’s own', () => {
    const made = resolveCluster([source], request({ keypair: 'k', http_proxy: null }));
    expect(made.spec).toMatchObject({ keypair: 'k', http_proxy: null });
    expect(made.origins).toMatchObject({ keypair: byRequest, http_proxy: byDefault, image_id: fromSource });
  });
});
