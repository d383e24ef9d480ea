import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clusterDraftOf,
  draftOf,
  emptyClusterDraft,
  emptyDraft,
  open,
  overlay,
  overlayCluster,
  resolveCluster,
  type ClusterDraft,
  type Draft,
  type Values,
} from '@jeroboam/domain';
import {
  byRequest,
  drafts,
  frozen,
  fromSource,
  fromTemplate,
  groupDrafts,
  requests,
} from '../support/specs.ts';

const lower = (values: Values, mergesLabels = false): Draft =>
  draftOf(values, fromTemplate, { mergesLabels });
const upper = (values: Values, mergesLabels = false): Draft => draftOf(values, byRequest, { mergesLabels });
const group = (name: string, draft: Draft) => ({ name, ...draft });

describe('laying one draft over another', () => {
  test('is associative', () => {
    fc.assert(
      fc.property(groupDrafts, groupDrafts, groupDrafts, (a, b, c) => {
        expect(overlay(overlay(a, b), c)).toStrictEqual(overlay(a, overlay(b, c)));
      }),
    );
  });

  test('changes nothing when one of them says nothing', () => {
    fc.assert(
      fc.property(groupDrafts, (draft) => {
        expect(overlay(emptyDraft, draft)).toStrictEqual(draft);
        expect(overlay(draft, emptyDraft)).toStrictEqual(draft);
      }),
    );
  });

  test('twice is laying it once', () => {
    fc.assert(
      fc.property(groupDrafts, groupDrafts, (a, b) => {
        expect(overlay(overlay(a, b), b)).toStrictEqual(overlay(a, b));
      }),
    );
  });

  test('changes neither', () => {
    fc.assert(
      fc.property(groupDrafts, groupDrafts, (a, b) => {
        expect(() => overlay(frozen(a), frozen(b))).not.toThrow();
      }),
    );
  });

  test('lets the upper win attribute by attribute, and remembers who said what', () => {
    const made = overlay(lower({ image_id: 'old', flavor_id: 'small' }), upper({ image_id: 'new' }));
    expect(made.values).toStrictEqual({ image_id: 'new', flavor_id: 'small' });
    expect(made.origins).toStrictEqual({ image_id: byRequest, flavor_id: fromTemplate });
  });

  test('replaces maps and lists as a whole', () => {
    const made = overlay(
      lower({ labels: { a: '1' }, node_labels: { a: '1' }, availability_zones: ['x', 'y'] }),
      upper({ labels: { b: '2' }, node_labels: {}, availability_zones: ['z'] }),
    );
    expect(made.values).toStrictEqual({ labels: { b: '2' }, node_labels: {}, availability_zones: ['z'] });
  });

  test('drops what is below when the upper leaves an attribute open', () => {
    const made = overlay(lower({ image_id: 'old' }), upper({ image_id: open }));
    expect(made.values).toStrictEqual({ image_id: open });
  });

  test('tells none from nothing said', () => {
    expect(overlay(lower({ keypair: 'k' }), upper({ keypair: null })).values).toStrictEqual({
      keypair: null,
    });
    expect(overlay(lower({ keypair: 'k' }), upper({ keypair: undefined })).values).toStrictEqual({
      keypair: 'k',
    });
  });
});

describe('labels that are merged', () => {
  const below = { a: '1', b: '1' };

  test('are laid over those below, key by key', () => {
    expect(
      overlay(lower({ labels: below }), upper({ labels: { b: '2', c: '2' } }, true)).values,
    ).toStrictEqual({
      labels: { a: '1', b: '2', c: '2' },
    });
  });

  test('still merge with whatever comes to lie below, when what they were laid over does', () => {
    const twice = overlay(lower({ labels: { a: '1' } }, true), upper({ labels: { b: '2' } }, true));
    expect(twice.mergesLabels).toBe(true);
    expect(overlay(draftOf({ labels: { z: '0' } }, fromSource), twice).values).toStrictEqual({
      labels: { z: '0', a: '1', b: '2' },
    });
  });

  test('replace for good what they were laid over, when that replaces', () => {
    const made = overlay(lower({ labels: { a: '1' } }), upper({ labels: { b: '2' } }, true));
    expect(overlay(draftOf({ labels: { z: '0' } }, fromSource), made).values).toStrictEqual({
      labels: { a: '1', b: '2' },
    });
  });

  test('stand alone over labels that were opened', () => {
    expect(overlay(lower({ labels: open }), upper({ labels: { b: '2' } }, true))).toMatchObject({
      values: { labels: { b: '2' } },
      mergesLabels: false,
    });
  });

  test('cannot be merged by a draft that has none', () => {
    expect(draftOf({ image_id: 'x' }, byRequest, { mergesLabels: true }).mergesLabels).toBe(false);
    expect(draftOf({ labels: open }, byRequest, { mergesLabels: true }).mergesLabels).toBe(false);
  });
});

describe('laying what is said of a cluster and its groups over another such draft', () => {
  test('is associative', () => {
    fc.assert(
      fc.property(drafts(fromTemplate), drafts(fromSource), requests, (a, b, c) => {
        expect(overlayCluster(overlayCluster(a, b), c)).toStrictEqual(
          overlayCluster(a, overlayCluster(b, c)),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('changes nothing when one of them says nothing', () => {
    fc.assert(
      fc.property(requests, (draft) => {
        expect(overlayCluster(emptyClusterDraft, draft)).toStrictEqual(draft);
        expect(overlayCluster(draft, emptyClusterDraft)).toStrictEqual(draft);
      }),
    );
  });

  test('twice makes the same cluster as laying it once', () => {
    const made = (draft: ClusterDraft) => resolveCluster([draft], emptyClusterDraft);
    fc.assert(
      fc.property(drafts(fromTemplate), requests, (a, b) => {
        const once = overlayCluster(a, b);
        expect(made(overlayCluster(once, b))).toStrictEqual(made(once));
      }),
      { numRuns: 200 },
    );
  });

  test('changes neither', () => {
    fc.assert(
      fc.property(drafts(fromTemplate), requests, (a, b) => {
        expect(() => overlayCluster(frozen(a), frozen(b))).not.toThrow();
      }),
    );
  });
});

describe('groups of workers', () => {
  const [gpu, spare] = [group('gpu', lower({ node_count: 2, flavor_id: 'big' })), group('spare', lower({}))];
  const source = clusterDraftOf(emptyDraft, { workers: [gpu, spare] });
  const names = (draft: { workers: readonly { name: string }[] | null }) =>
    draft.workers?.map(({ name }) => name) ?? null;

  test('stay when the upper says nothing of workers', () => {
    expect(overlayCluster(source, emptyClusterDraft).workers).toStrictEqual([gpu, spare]);
  });

  test('are replaced by those of the upper, even by none', () => {
    const other = clusterDraftOf(emptyDraft, { workers: [group('other', upper({}))] });
    expect(names(overlayCluster(source, other))).toStrictEqual(['other']);
    expect(names(overlayCluster(source, clusterDraftOf(emptyDraft, { workers: [] })))).toStrictEqual([]);
  });

  test('are merged by name when the upper asks for it; new ones come last', () => {
    const workers = [group('other', upper({})), group('gpu', upper({ node_count: 7 }))];
    const made = overlayCluster(source, clusterDraftOf(emptyDraft, { workers, mergesWorkers: true }));
    expect(names(made)).toStrictEqual(['gpu', 'spare', 'other']);
    expect(made.workers?.[0]).toMatchObject({ values: { node_count: 7, flavor_id: 'big' } });
    expect(made.mergesWorkers).toBe(false);
  });

  test('that are merged with nothing below still ask to be merged', () => {
    const upper = clusterDraftOf(emptyDraft, { workers: [gpu], mergesWorkers: true });
    expect(overlayCluster(emptyClusterDraft, upper).mergesWorkers).toBe(true);
    expect(names(overlayCluster(source, overlayCluster(emptyClusterDraft, upper)))).toStrictEqual([
      'gpu',
      'spare',
    ]);
  });

  test('cannot be merged by a draft that names none', () => {
    expect(clusterDraftOf(emptyDraft, { workers: null, mergesWorkers: true }).mergesWorkers).toBe(false);
  });
});

describe('what is said of a cluster', () => {
  const own = lower({ image_id: 'own', node_count: 5, labels: { own: '1' }, role: 'worker' });
  const source = clusterDraftOf(lower({ image_id: 'old', labels: { old: '1' } }), {
    workers: [group('default-worker', own), group('gpu', own)],
    controlPlane: own,
  });
  const over = (values: Values, mergesLabels = false) =>
    overlayCluster(source, clusterDraftOf(upper(values, mergesLabels)));

  test('takes the place of what its default groups say below, and of nothing else', () => {
    const made = over({ image_id: 'new' });
    const { image_id: _image, ...rest } = own.values;
    expect(made.controlPlane.values).toStrictEqual(rest);
    expect(made.workers?.[0]?.values).toStrictEqual(rest);
    expect(made.workers?.[1]?.values).toStrictEqual(own.values);
  });

  test('does so also when it opens an attribute', () => {
    expect(over({ node_count: open }).workers?.[0]?.values).not.toHaveProperty('node_count');
    expect(over({ node_count: open }).controlPlane.values).toHaveProperty('node_count', 5);
    expect(over({ master_count: open }).controlPlane.values).not.toHaveProperty('node_count');
  });

  test('is laid over the labels of its default groups when labels are merged', () => {
    const made = over({ labels: { new: '2' } }, true);
    expect(made.values['labels']).toStrictEqual({ old: '1', new: '2' });
    expect(made.workers?.map(({ values }) => values['labels'])).toStrictEqual([
      { own: '1', new: '2' },
      { own: '1' },
    ]);
    expect(made.workers?.[0]?.origins['labels']).toStrictEqual(byRequest);
  });

  test('does not touch what is said of the groups beside it', () => {
    const made = overlayCluster(
      source,
      clusterDraftOf(upper({ image_id: 'new' }), {
        workers: [group('default-worker', upper({ image_id: 'mine' }))],
        mergesWorkers: true,
      }),
    );
    expect(made.workers?.[0]?.values).toMatchObject({ image_id: 'mine', node_count: 5 });
  });
});
