import { describe, expect, test } from 'vitest';
import {
  clusterDraftOf,
  clusterTemplateAsSource,
  draftOf,
  emptyClusterDraft,
  emptyDraft,
  isControlPlane,
  nodeGroupTemplateAsSource,
  open,
  overlayClusters,
  templateOfCluster,
  templateOfGroup,
  type Values,
} from '@jeroboam/domain';
import { request } from '../support/resolving.ts';
import {
  asSource,
  byRequest,
  clusterNames,
  clusterRow,
  fromGroupTemplate,
  fromSource,
  fromTemplate,
  groupNames,
  groupRow,
  masterRow,
} from '../support/specs.ts';

const without = (names: readonly string[]) => names.filter((name) => name !== 'name').toSorted();
const source = asSource({
  cluster: clusterRow({ node_count: 7, labels: { a: '1' } }),
  groups: [
    masterRow({ labels: { a: '1' } }),
    groupRow({ node_count: 5, labels: { a: '1' } }),
    groupRow({ name: 'gpu', node_count: 2, image_id: 'gpu-os' }),
  ],
});
const kept = (...drafts: Parameters<typeof overlayClusters>[0]) => templateOfCluster(overlayClusters(drafts));
const valuesOf = (template: ReturnType<typeof kept>, name: string) =>
  template.groups.find((group) => group.name === name)?.values ?? expect.fail(`no group ${name}`);

describe('a draft kept as a template', () => {
  test('says of every attribute what it is, or null where it is open', () => {
    const template = kept(clusterDraftOf(draftOf({ image_id: 'u', keypair: open }, byRequest)));
    expect(Object.keys(template.values).toSorted()).toStrictEqual(without(clusterNames));
    expect(template.values).toMatchObject({ image_id: 'u', keypair: null, labels: null, coe: null });
    expect(template.origins).toStrictEqual({ image_id: byRequest });
  });

  test('makes nothing up: no group, no default', () => {
    const template = kept(emptyClusterDraft);
    expect(template.groups).toStrictEqual([]);
    expect(template.controlPlaneOnly).toBe(false);
    expect(Object.values(template.values).filter((value) => value !== null)).toStrictEqual([]);
  });

  test('has the groups of a cluster, the control plane first, saying only where they go their own way', () => {
    const template = kept(source);
    expect(template.groups.map(({ name }) => name)).toStrictEqual([
      'default-master',
      'default-worker',
      'gpu',
    ]);
    for (const { values } of template.groups)
      expect(Object.keys(values).toSorted()).toStrictEqual(without(groupNames));
    expect(valuesOf(template, 'default-worker')).toMatchObject({
      node_count: 5,
      image_id: null,
      labels: null,
    });
    expect(valuesOf(template, 'gpu')).toMatchObject({ node_count: 2, image_id: 'gpu-os', labels: {} });
    expect(valuesOf(template, 'default-master')).toMatchObject({ role: 'master', node_count: 1 });
    expect(template.values['node_count']).toBeNull();
  });

  test('of a control plane alone says that there are no workers', () => {
    expect(kept(source, request({}, [])).controlPlaneOnly).toBe(true);
    expect(kept(source).controlPlaneOnly).toBe(false);
  });

  test('keeps Magnum’s group beside those that are to be merged with nothing', () => {
    const template = kept(request({}, [{ name: 'gpu' }], true));
    expect(template.groups.map(({ name }) => name)).toStrictEqual(['default-worker', 'gpu']);
  });

  test('has no template of a control plane that nobody says anything of', () => {
    expect(kept(request({}, [{ name: 'default-master' }])).groups).toStrictEqual([]);
  });

  test('says of the default groups what the request says of the cluster', () => {
    const template = kept(source, request({ node_count: 9, master_count: 3, labels: { b: '2' } }));
    expect(template.values).toMatchObject({ node_count: 9, master_count: 3, labels: { b: '2' } });
    expect(valuesOf(template, 'default-worker')).toMatchObject({ node_count: null, labels: null });
    expect(valuesOf(template, 'default-master')).toMatchObject({ node_count: null });
    expect(valuesOf(template, 'gpu')).toMatchObject({ node_count: 2, labels: {} });
  });

  test('says that there is no limit of time where there is none, and nothing where it is open', () => {
    const endless = asSource({ cluster: clusterRow({ create_timeout: null }), groups: [masterRow()] });
    expect(kept(endless).values['create_timeout']).toBe(0);
    expect(kept(endless).origins['create_timeout']).toStrictEqual(fromSource);
    expect(kept(endless, request({ create_timeout: null })).values['create_timeout']).toBeNull();
    expect(kept(emptyClusterDraft).values['create_timeout']).toBeNull();
  });

  test('says of the groups what only some of them have, and then nothing of the cluster', () => {
    const mixed = asSource({
      cluster: clusterRow({ docker_volume_size: 10 }),
      groups: [masterRow({ docker_volume_size: 10 }), groupRow(), groupRow({ name: 'gpu' })],
    });
    const template = kept(mixed);
    expect(template.values['docker_volume_size']).toBeNull();
    expect(template.groups.map(({ values }) => values['docker_volume_size'])).toStrictEqual([10, null, null]);
  });

  test('keeps of a group whether its labels are to be merged', () => {
    const draft = draftOf({ labels: { a: '1' } }, byRequest, { mergesLabels: true });
    expect(templateOfGroup('gpu', draft)).toMatchObject({ name: 'gpu', mergesLabels: true });
    expect(templateOfGroup('gpu', emptyDraft)).toMatchObject({ mergesLabels: false, origins: {} });
  });
});

describe('a template as a source', () => {
  const row = {
    name: 'small',
    image_id: 'u',
    keypair_id: 'k',
    flavor_id: null,
    create_timeout: 0,
    labels: {},
  };
  const drafted = (values: Values = {}, groups: readonly Values[] = []) =>
    clusterTemplateAsSource(
      { ...row, ...values },
      groups.map((template) => ({ template, origin: fromGroupTemplate })),
      fromTemplate,
    );

  test('says what it says and leaves the rest open; its name is its own', () => {
    expect(drafted().values).toStrictEqual({ image_id: 'u', keypair: 'k', create_timeout: 0, labels: {} });
  });

  test('leaves the workers to Magnum, unless it has some or says that there are none', () => {
    expect(drafted().workers).toBeNull();
    expect(drafted({ control_plane_only: true }).workers).toStrictEqual([]);
    expect(drafted({}, [{ name: 'gpu' }]).workers).toHaveLength(1);
    expect(drafted({}, [{ name: 'default-master' }]).workers).toBeNull();
  });

  test('has groups that say what they say', () => {
    const draft = nodeGroupTemplateAsSource(
      { name: 'gpu', node_count: 0, labels: null, merge_labels: true, image_id: null, public: true },
      fromGroupTemplate,
    );
    expect(draft.values).toStrictEqual({ name: 'gpu', node_count: 0 });
    expect(draft.mergesLabels).toBe(false);
  });

  test.each<[Values, boolean]>([
    [{ name: 'cp', role: 'master' }, true],
    [{ name: 'default-master', role: null }, true],
    [{ name: 'default-worker', role: 'worker' }, false],
    [{ name: 'gpu' }, false],
  ])('knows the control plane by role or name: %j', (group, is) => {
    expect(isControlPlane(group)).toBe(is);
  });
});
