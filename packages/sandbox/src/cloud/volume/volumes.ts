import type { FastifyInstance } from 'fastify';

import { notFound } from '../http/api-error.ts';

/** Cinder's defaults, and the volumes that nobody can make here yet. */
export function volumeRoutes(app: FastifyInstance, prefix: string): void {
  app.get(`${prefix}/limits`, async () => ({
    limits: {
      rate: [],
      absolute: {
        maxTotalVolumes: 10,
        maxTotalSnapshots: 10,
        maxTotalVolumeGigabytes: 1000,
        maxTotalBackups: 10,
        maxTotalBackupGigabytes: 1000,
        totalVolumesUsed: 0,
        totalGigabytesUsed: 0,
        totalSnapshotsUsed: 0,
        totalBackupsUsed: 0,
        totalBackupGigabytesUsed: 0,
      },
    },
  }));

  app.get(`${prefix}/volumes`, async () => ({ volumes: [] }));
  app.get(`${prefix}/volumes/detail`, async () => ({ volumes: [] }));
  app.get<{ Params: { id: string } }>(`${prefix}/volumes/:id`, async (request) => {
    throw notFound(`Volume ${request.params.id} could not be found.`);
  });
}
