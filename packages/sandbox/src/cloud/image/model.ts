import type { Caller } from '../http/caller.ts';
import { secondsZ } from '../times.ts';

export type Visibility = 'public' | 'community' | 'shared' | 'private';

export interface Image {
  id: string;
  name: string | null;
  status: 'queued' | 'active';
  visibility: Visibility;
  owner: string;
  size: number | null;
  checksum: string | null;
  os_hash_value: string | null;
  disk_format: string | null;
  container_format: string | null;
  min_disk: number;
  min_ram: number;
  protected: boolean;
  os_hidden: boolean;
  tags: string[];
  createdAt: number;
  updatedAt: number;
  /** What the owner added: `os_distro`, `kube_version` and the like. */
  properties: Record<string, string>;
}

/** Fields that Glance keeps itself; a property cannot take such a name. */
export const OWN_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'name',
  'status',
  'visibility',
  'owner',
  'size',
  'virtual_size',
  'checksum',
  'os_hash_algo',
  'os_hash_value',
  'disk_format',
  'container_format',
  'min_disk',
  'min_ram',
  'protected',
  'os_hidden',
  'tags',
  'created_at',
  'updated_at',
  'self',
  'file',
  'schema',
  'stores',
  'locations',
  'direct_url',
]);

/** Images that anyone may use by id; lists leave community images out unless they are asked for. */
export function mayUse(image: Image, caller: Caller): boolean {
  return mayChange(image, caller) || image.visibility === 'public' || image.visibility === 'community';
}

export function mayChange(image: Image, caller: Caller): boolean {
  return caller.isAdmin || image.owner === caller.projectId;
}

/** Properties stand beside Glance's own fields, not below a name of their own. */
export function imageView(image: Image): Record<string, unknown> {
  const path = `/v2/images/${image.id}`;
  return {
    ...image.properties,
    name: image.name,
    disk_format: image.disk_format,
    container_format: image.container_format,
    visibility: image.visibility,
    size: image.size,
    virtual_size: image.size,
    status: image.status,
    checksum: image.checksum,
    protected: image.protected,
    min_ram: image.min_ram,
    min_disk: image.min_disk,
    owner: image.owner,
    os_hidden: image.os_hidden,
    os_hash_algo: image.os_hash_value === null ? null : 'sha512',
    os_hash_value: image.os_hash_value,
    id: image.id,
    created_at: secondsZ(image.createdAt),
    updated_at: secondsZ(image.updatedAt),
    tags: image.tags,
    self: path,
    file: `${path}/file`,
    schema: '/v2/schemas/image',
    ...(image.status === 'active' && { stores: 'file' }),
  };
}
