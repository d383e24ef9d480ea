import type { FastifyInstance } from 'fastify';

import { callerOf } from '../http/caller.ts';
import { minorOf } from './microversion.ts';
import { projectOf, refused } from './policy.ts';

/** Nova's defaults. Nothing counts against them yet but servers, of which this cloud has none. */
const QUOTAS = {
  instances: 10,
  cores: 20,
  ram: 51_200,
  metadata_items: 128,
  injected_files: 5,
  injected_file_content_bytes: 10_240,
  injected_file_path_bytes: 255,
  key_pairs: 100,
  server_groups: 10,
  server_group_members: 10,
};

/** Proxies of the network and file injection quotas that later versions of the API dropped. */
const NETWORK_QUOTAS = {
  floating_ips: 10,
  fixed_ips: -1,
  security_groups: 10,
  security_group_rules: 20,
};
const FILE_QUOTAS = ['injected_files', 'injected_file_content_bytes', 'injected_file_path_bytes'];

interface OfProject {
  Params: { project: string };
}

export function quotaRoutes(app: FastifyInstance): void {
  app.get('/v2.1/limits', async (request, reply) => {
    projectOf(callerOf(request), 'limits');
    return reply.send({ limits: { rate: [], absolute: absoluteLimits(minorOf(request)) } });
  });

  for (const [suffix, detail] of [
    ['', false],
    ['/defaults', false],
    ['/detail', true],
  ] as const) {
    app.get<OfProject>(`/v2.1/os-quota-sets/:project${suffix}`, async (request, reply) => {
      const { project } = request.params;
      const caller = callerOf(request);
      if (!caller.isAdmin && caller.projectId !== project) throw refused('os-quota-sets:show');
      const limits = Object.entries(quotasAt(minorOf(request)));
      const values = detail
        ? limits.map(([name, limit]) => [name, { limit, in_use: 0, reserved: 0 }])
        : limits;
      return reply.send({ quota_set: { id: project, ...Object.fromEntries(values) } });
    });
  }
}

function quotasAt(minor: number): Record<string, number> {
  const quotas = { ...QUOTAS, ...(minor < 36 && NETWORK_QUOTAS) };
  if (minor < 57) return quotas;
  return Object.fromEntries(Object.entries(quotas).filter(([name]) => !FILE_QUOTAS.includes(name)));
}

function absoluteLimits(minor: number): object {
  return {
    maxTotalCores: QUOTAS.cores,
    maxTotalInstances: QUOTAS.instances,
    maxTotalKeypairs: QUOTAS.key_pairs,
    maxServerMeta: QUOTAS.metadata_items,
    ...(minor < 39 && { maxImageMeta: QUOTAS.metadata_items }),
    ...(minor < 57 && {
      maxPersonality: QUOTAS.injected_files,
      maxPersonalitySize: QUOTAS.injected_file_content_bytes,
    }),
    maxTotalRAMSize: QUOTAS.ram,
    ...(minor < 36 && {
      maxTotalFloatingIps: NETWORK_QUOTAS.floating_ips,
      maxSecurityGroups: NETWORK_QUOTAS.security_groups,
      maxSecurityGroupRules: NETWORK_QUOTAS.security_group_rules,
      totalFloatingIpsUsed: 0,
      totalSecurityGroupsUsed: 0,
    }),
    maxServerGroups: QUOTAS.server_groups,
    maxServerGroupMembers: QUOTAS.server_group_members,
    totalRAMUsed: 0,
    totalCoresUsed: 0,
    totalInstancesUsed: 0,
    totalServerGroupsUsed: 0,
  };
}
