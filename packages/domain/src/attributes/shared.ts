import type { Attribute } from './types.ts';

/** Attributes and shapes that several resources have in common. */
export const name255 = { kind: 'string', min: 1, max: 255 } as const;

export const linksAttribute: Attribute = {
  name: 'links',
  type: { kind: 'links' },
  readOnly: true,
  description: 'The addresses of this resource: `self` with the API version, `bookmark` without.',
};

export const timestamps: readonly Attribute[] = [
  {
    name: 'created_at',
    type: { kind: 'timestamp' },
    readOnly: true,
    description: 'When the resource was accepted.',
    example: '2026-11-15T18:40:48.450109+00:00',
  },
  {
    name: 'updated_at',
    type: { kind: 'timestamp' },
    readOnly: true,
    description: 'When it last changed; null until then.',
    example: null,
  },
];

export const ownership: readonly Attribute[] = [
  { name: 'project_id', type: { kind: 'text' }, readOnly: true, description: 'The project it belongs to.' },
  { name: 'user_id', type: { kind: 'text' }, readOnly: true, description: 'The user who made it.' },
];

export const mergeLabels: Attribute = {
  name: 'merge_labels',
  type: { kind: 'boolean' },
  default: false,
  description:
    'True: the labels given are laid over the inherited ones; false: they replace them. Only read, always answered false.',
};

export const labelDifferences: readonly Attribute[] = [
  {
    name: 'labels_overridden',
    type: { kind: 'map', of: 'scalar' },
    description: 'Inherited labels whose value was changed, with the inherited value.',
  },
  {
    name: 'labels_added',
    type: { kind: 'map', of: 'scalar' },
    description: 'Labels that were not inherited.',
  },
  {
    name: 'labels_skipped',
    type: { kind: 'map', of: 'scalar' },
    description: 'Inherited labels that were dropped, with the inherited value.',
  },
];

export const kubernetesVersion: Attribute = {
  name: 'kubernetes_version',
  type: { kind: 'string', max: 64, pattern: String.raw`^v?\d{1,3}\.\d{1,3}\.\d{1,3}([-+][0-9A-Za-z.+-]+)?$` },
  extension: true,
  mutability: 'rolls',
  description: 'The version of Kubernetes; without one the image decides.',
  example: 'v1.31.4',
};
