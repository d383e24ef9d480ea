import { describe, expect, test } from 'vitest';
import {
  clusterAttributes,
  clusterRequest,
  clusterTemplateAttributes,
  clusterTemplateRequest,
  draftOf,
  emptyDraft,
  magnumClusterRequest,
  magnumNodeGroupRequest,
  nodeGroupAttributes,
  nodeGroupRequest,
  nodeGroupTemplateAttributes,
  open,
  requestedGroups,
  usesExtensions,
  withGroups,
  type Draft,
  type Values,
} from '@jeroboam/domain';
import { byRequest, fromGroupTemplate, fromSource } from '../support/specs.ts';

describe('a request that uses extensions', () => {
  test('opens with null what a source says, and says nothing of what is absent', () => {
    const draft = clusterRequest({ image_id: null, labels: null, node_count: 0, keypair: 'k' });
    expect(draft.values).toStrictEqual({ image_id: open, labels: open, node_count: 0, keypair: 'k' });
    for (const origin of Object.values(draft.origins)) expect(origin).toStrictEqual(byRequest);
  });

  test('replaces labels with none when they are empty', () => {
    expect(clusterRequest({ labels: {} }).values).toStrictEqual({ labels: {} });
  });

  test.each<[Values, boolean]>([
    [{ labels: { a: '1' }, merge_labels: true }, true],
    [{ labels: { a: '1' }, merge_labels: false }, false],
    [{ labels: { a: '1' }, merge_labels: null }, false],
    [{ labels: null, merge_labels: true }, false],
    [{ merge_labels: true }, false],
  ])('merges labels when it gives some and asks for it: %j', (body, merges) => {
    expect(clusterRequest({ ...body }).mergesLabels).toBe(merges);
    expect(nodeGroupRequest(body).mergesLabels).toBe(merges);
  });

  test('says of the resource only what makes it up', () => {
    const body = { uuid: 'u', cluster_template_id: 't', source_cluster: 'c', nodegroups: [], status: 'x' };
    expect(clusterRequest(body)).toStrictEqual(emptyDraft);
    expect(nodeGroupRequest({ uuid: 'u', source_nodegroup: 'g', is_default: true })).toStrictEqual(
      emptyDraft,
    );
  });

  test('calls the key pair of a template by another name', () => {
    expect(clusterTemplateRequest({ keypair_id: 'k', public: true }).values).toStrictEqual({ keypair: 'k' });
    expect(clusterTemplateRequest({ keypair_id: null }).values).toStrictEqual({ keypair: open });
    expect(clusterTemplateRequest({}).values).toStrictEqual({});
  });

  test('leaves the name of a group to its source, or gives one', () => {
    expect(nodeGroupRequest({ name: null, role: null }).values).toStrictEqual({ role: open });
    expect(nodeGroupRequest({ name: 'gpu' }).values).toStrictEqual({ name: 'gpu' });
  });
});

describe('a request of Magnum’s own', () => {
  test('does not give what is null', () => {
    const body = {
      keypair: null,
      docker_volume_size: null,
      flavor_id: null,
      node_count: null,
      image_id: null,
    };
    expect(magnumClusterRequest(body).values).toStrictEqual({});
  });

  test.each(['floating_ip_enabled', 'master_lb_enabled'])('means the default by a null %s', (name) => {
    expect(magnumClusterRequest({ [name]: null }).values).toStrictEqual({ [name]: open });
    expect(magnumClusterRequest({ [name]: false }).values).toStrictEqual({ [name]: false });
  });

  test('means no limit of time by null', () => {
    expect(magnumClusterRequest({ create_timeout: null }).values).toStrictEqual({ create_timeout: null });
    expect(magnumClusterRequest({ create_timeout: 0 }).values).toStrictEqual({ create_timeout: 0 });
  });

  test.each([null, {}])('does not give labels that are %j', (labels) => {
    expect(magnumClusterRequest({ labels, merge_labels: true })).toStrictEqual(emptyDraft);
  });

  test('gives labels, to replace or to be merged', () => {
    const labels = { a: '1' };
    expect(magnumClusterRequest({ labels })).toMatchObject({ values: { labels }, mergesLabels: false });
    expect(magnumClusterRequest({ labels, merge_labels: true }).mergesLabels).toBe(true);
  });

  test('does not give what is null of a group either, but its empty labels', () => {
    const body = { name: 'gpu', labels: {}, image_id: null, role: null, node_count: 2 };
    expect(magnumNodeGroupRequest(body).values).toStrictEqual({ name: 'gpu', labels: {}, node_count: 2 });
  });
});

describe('a request uses extensions', () => {
  test.each<[string, unknown, boolean]>([
    ['when it has an attribute that Magnum does not know', { source_cluster: 'c' }, true],
    ['even when that is null', { nodegroups: null }, true],
    ['not when Magnum knows all of it', { name: 'x', cluster_template_id: 't', labels: {} }, false],
    ['not when it is empty', {}, false],
    ['not when it has what nobody knows', { nonsense: 1 }, false],
    ['not by what every object inherits', Object.create({ source_cluster: 'c' }), false],
    ['not when it is no object', 'source_cluster', false],
    ['not when it is a list', [{ source_cluster: 'c' }], false],
    ['not when it is null', null, false],
  ])('%s', (_when, body, uses) => {
    expect(usesExtensions(clusterAttributes, body)).toBe(uses);
  });

  test('by attributes of each kind of resource', () => {
    expect(usesExtensions(nodeGroupAttributes, { availability_zones: [] })).toBe(true);
    expect(usesExtensions(nodeGroupAttributes, { node_taints: [], image_id: 'x' })).toBe(false);
    expect(usesExtensions(clusterTemplateAttributes, { control_plane_only: true })).toBe(true);
    expect(usesExtensions(clusterTemplateAttributes, { image_id: 'x', hidden: true })).toBe(false);
    expect(usesExtensions(nodeGroupTemplateAttributes, { availability_zones: [] })).toBe(false);
  });
});

describe('the groups of a request', () => {
  const source = (name: string | null, values: Values): { name: string | null; draft: Draft } => ({
    name,
    draft: draftOf(values, fromGroupTemplate),
  });
  const read = (...items: { item: Values; source?: { name: string | null; draft: Draft } }[]) =>
    requestedGroups(items.map(({ item, source: from }) => ({ item, source: from ?? null })));
  const fieldsOf = (groups: ReturnType<typeof read>) => groups.problems.map(({ field }) => field);

  test('are its workers in their order, each laid over its source', () => {
    const { workers, problems } = read(
      { item: { name: 'b', node_count: 2 }, source: source('t', { node_count: 5, flavor_id: 'f' }) },
      { item: { name: 'a' } },
    );
    expect(problems).toStrictEqual([]);
    expect(workers.map(({ name }) => name)).toStrictEqual(['b', 'a']);
    expect(workers[0]).toMatchObject({
      values: { node_count: 2, flavor_id: 'f' },
      origins: { node_count: byRequest, flavor_id: fromGroupTemplate },
    });
  });

  test('are called as their source when they are not called otherwise', () => {
    const { workers } = read(
      { item: {}, source: source('gpu', {}) },
      { item: { name: null }, source: source('x', {}) },
    );
    expect(workers.map(({ name }) => name)).toStrictEqual(['gpu', 'x']);
  });

  test.each<[string, Values, ReturnType<typeof source> | undefined]>([
    ['its name', { name: 'default-master' }, undefined],
    ['its role', { role: 'master' }, undefined],
    ['the role of its source', {}, source('cp', { role: 'master' })],
    ['the name of its source', {}, source('default-master', {})],
  ])('have the control plane among them by %s', (_by, item, from) => {
    const { workers, controlPlane, problems } = read({
      item: { ...item, flavor_id: 'big' },
      ...(from === undefined ? {} : { source: from }),
    });
    expect(problems).toStrictEqual([]);
    expect(workers).toStrictEqual([]);
    expect(controlPlane.values).toMatchObject({ flavor_id: 'big' });
  });

  test('may make workers out of a control plane', () => {
    const { workers, problems } = read({
      item: { name: 'gpu', role: 'worker' },
      source: source('default-master', { role: 'master' }),
    });
    expect(problems).toStrictEqual([]);
    expect(workers[0]).toMatchObject({ name: 'gpu', values: { role: 'worker' } });
  });

  test('are refused, all that are wrong at once', () => {
    const groups = read(
      { item: { name: 'gpu' } },
      { item: { name: 'gpu' } },
      { item: { flavor_id: 'x' } },
      { item: { name: 'boss', role: 'master' } },
      { item: { name: 'default-master' } },
    );
    expect(groups.problems.map(({ field, message, status }) => [field, message, status])).toStrictEqual([
      ['nodegroups/gpu/name', 'nodegroups has two groups called gpu.', 400],
      ['nodegroups/2/name', 'nodegroups/2/name is missing: give the group a name.', 400],
      ['nodegroups/boss/name', 'The control plane is always called default-master.', 400],
      ['nodegroups/default-master/role', 'nodegroups has more than one control plane.', 400],
    ]);
    expect(groups.workers.map(({ name }) => name)).toStrictEqual(['gpu']);
  });

  test('may be twice what one source is, under names of their own', () => {
    const gpu = source('gpu', { flavor_id: 'g' });
    expect(
      fieldsOf(read({ item: { name: 'a' }, source: gpu }, { item: { name: 'b' }, source: gpu })),
    ).toStrictEqual([]);
    expect(fieldsOf(read({ item: {}, source: gpu }, { item: {}, source: gpu }))).toStrictEqual([
      'nodegroups/gpu/name',
    ]);
  });

  test('are nothing said when there is no list, and no workers when it is empty', () => {
    expect(withGroups(emptyDraft, null, true)).toMatchObject({ workers: null, mergesWorkers: false });
    expect(withGroups(emptyDraft, read(), false)).toMatchObject({ workers: [], mergesWorkers: false });
  });

  test('keep what the request says of them when it says something else of the cluster', () => {
    const from = source('w', { image_id: 'theirs', flavor_id: 'theirs' });
    const groups = read(
      { item: { name: 'default-worker', image_id: 'mine' }, source: from },
      { item: { name: 'gpu' }, source: from },
    );
    const { workers } = withGroups(clusterRequest({ image_id: 'new', flavor_id: 'new' }), groups, false);
    expect(workers?.map(({ values }) => [values['image_id'], values['flavor_id']])).toStrictEqual([
      ['mine', undefined],
      ['theirs', 'theirs'],
    ]);
  });

  test('are not changed by reading them', () => {
    const item = Object.freeze({ name: 'gpu', labels: Object.freeze({ a: '1' }), merge_labels: true });
    const draft = Object.freeze(draftOf(Object.freeze({ labels: Object.freeze({ b: '2' }) }), fromSource));
    expect(
      requestedGroups([{ item, source: { name: null, draft } }]).workers[0]?.values['labels'],
    ).toStrictEqual({
      a: '1',
      b: '2',
    });
  });
});
