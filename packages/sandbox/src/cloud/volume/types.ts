import type { FastifyInstance } from 'fastify';

import { notFound } from '../http/api-error.ts';
import type { Cloud } from '../http/service.ts';
import type { Collection } from '../store/collection.ts';

export interface VolumeType {
  id: string;
  name: string;
  description: string | null;
  isPublic: boolean;
  extraSpecs: Record<string, string>;
}

const DEFAULT_TYPE = '__DEFAULT__';

/** Volume types: what `volume_type` and labels such as `boot_volume_type` may name. */
export function typeRoutes(app: FastifyInstance, prefix: string, types: Collection<VolumeType>): void {
  app.get(`${prefix}/types`, async () => ({ volume_types: types.all().map(typeView) }));

  app.get<{ Params: { id: string } }>(`${prefix}/types/:id`, async (request, reply) => {
    const { id } = request.params;
    const type = id === 'default' ? types.find((item) => item.name === DEFAULT_TYPE) : types.get(id);
    if (type === undefined) throw notFound(`Volume type ${id} could not be found.`);
    return reply.send({ volume_type: typeView(type) });
  });
}

function typeView({ id, name, description, isPublic, extraSpecs }: VolumeType): object {
  return {
    id,
    name,
    is_public: isPublic,
    description,
    extra_specs: extraSpecs,
    qos_specs_id: null,
    'os-volume-type-access:is_public': isPublic,
  };
}

const TYPES = [
  { seed: 'default', name: DEFAULT_TYPE, description: 'Default Volume Type' },
  { seed: 'fast', name: 'fast', description: 'Solid state disks' },
];

export async function seedTypes(cloud: Cloud, types: Collection<VolumeType>): Promise<void> {
  await cloud.seeds.sow('volume.types', TYPES, async ({ seed, name, description }) => {
    const id = cloud.seeds.id(`volume-type/${seed}`);
    await types.put(id, { id, name, description, isPublic: true, extraSpecs: {} });
  });
}
