import type { FastifyInstance } from 'fastify';

import { forbidden, notFound } from '../http/api-error.ts';
import { callerOf } from '../http/caller.ts';
import { Query } from '../http/query.ts';

interface OfTarget {
  Params: { target: string };
}

/** Cinder's defaults. */
const QUOTAS = {
  volumes: 10,
  snapshots: 10,
  backups: 10,
  gigabytes: 1000,
  backup_gigabytes: 1000,
  per_volume_gigabytes: -1,
  groups: 10,
};

/** Limits and quotas, and the volumes that nobody can make here yet. */
export function volumeRoutes(app: FastifyInstance, prefix: string): void {
  app.get(`${prefix}/limits`, async () => ({
    limits: {
      rate: [],
      absolute: {
        maxTotalVolumes: QUOTAS.volumes,
        maxTotalSnapshots: QUOTAS.snapshots,
        maxTotalVolumeGigabytes: QUOTAS.gigabytes,
        maxTotalBackups: QUOTAS.backups,
        maxTotalBackupGigabytes: QUOTAS.backup_gigabytes,
        totalVolumesUsed: 0,
        totalGigabytesUsed: 0,
        totalSnapshotsUsed: 0,
        totalBackupsUsed: 0,
        totalBackupGigabytesUsed: 0,
      },
    },
  }));

  app.get<OfTarget>(`${prefix}/os-quota-sets/:target`, async (request, reply) => {
    const { target } = request.params;
    const caller = callerOf(request);
    if (!caller.isAdmin && caller.projectId !== target) {
      throw forbidden("Policy doesn't allow volume_extension:quotas:show to be performed.");
    }
    const usage = Object.entries(QUOTAS).map(([name, limit]) => [name, { limit, in_use: 0, reserved: 0 }]);
    const values = new Query(request).flag('usage') ? Object.fromEntries(usage) : QUOTAS;
    return reply.send({ quota_set: { id: target, ...values } });
  });

  app.get(`${prefix}/os-availability-zone`, async () => ({
    availabilityZoneInfo: [{ zoneName: 'nova', zoneState: { available: true } }],
  }));

  app.get(`${prefix}/volumes`, async () => ({ volumes: [] }));
  app.get(`${prefix}/volumes/detail`, async () => ({ volumes: [] }));
  app.get<{ Params: { id: string } }>(`${prefix}/volumes/:id`, (request) => {
    throw notFound(`Volume ${request.params.id} could not be found.`);
  });
}
