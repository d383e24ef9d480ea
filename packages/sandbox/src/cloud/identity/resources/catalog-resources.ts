import type { FastifyInstance } from 'fastify';

import { badRequest, conflict } from '../../http/api-error.ts';
import {
  bodyObject,
  optionalBoolean,
  optionalString,
  requiredName,
  requiredString,
} from '../../http/fields.ts';
import type { Fields } from '../../http/fields.ts';
import { newHexId } from '../../ids.ts';
import { fillIn } from '../catalog.ts';
import type { Identity } from '../identity.ts';
import type { EndpointInterface, EndpointRecord, RegionRecord, ServiceRecord } from '../model.ts';
import { requireAdmin, sessionOf } from '../policy.ts';
import { missing } from './resource.ts';
import type { Resource } from './resource.ts';

export function serviceResource(identity: Identity): Resource<ServiceRecord> {
  const { directory } = identity;
  return {
    singular: 'service',
    plural: 'services',
    objects: directory.services,
    filters: ['name', 'type'],
    view: (service) => ({ ...service, links: { self: `${identity.url}/services/${service.id}` } }),
    create: (fields) => ({
      id: newHexId(),
      type: requiredName(fields, 'type'),
      name: optionalString(fields, 'name') ?? '',
      description: optionalString(fields, 'description') ?? '',
      enabled: optionalBoolean(fields, 'enabled') ?? true,
    }),
    update: (service, fields) => ({
      ...service,
      type: fields['type'] === undefined ? service.type : requiredName(fields, 'type'),
      name: optionalString(fields, 'name') ?? service.name,
      description: optionalString(fields, 'description') ?? service.description,
      enabled: optionalBoolean(fields, 'enabled') ?? service.enabled,
    }),
    async beforeRemove(service) {
      for (const endpoint of directory.endpoints.filter((item) => item.service_id === service.id)) {
        await directory.endpoints.delete(endpoint.id);
      }
    },
  };
}

export function endpointResource(identity: Identity): Resource<EndpointRecord> {
  const { directory } = identity;

  const parts = (fields: Fields, known?: EndpointRecord): Omit<EndpointRecord, 'id' | 'enabled'> => {
    const serviceId =
      optionalString(fields, 'service_id') ?? known?.service_id ?? requiredString(fields, 'service_id');
    if (directory.services.get(serviceId) === undefined) {
      throw badRequest(`Could not find service: ${serviceId}.`);
    }
    const regionId = optionalString(fields, 'region_id') ?? known?.region_id ?? identity.cloud.region;
    if (directory.regions.get(regionId) === undefined) {
      throw badRequest(`Could not find region: ${regionId}.`);
    }
    return {
      service_id: serviceId,
      interface: fields['interface'] === undefined && known ? known.interface : interfaceOf(fields),
      region_id: regionId,
      url: fields['url'] === undefined && known ? known.url : requiredName(fields, 'url'),
    };
  };

  /** The older field `region` makes the region it names, where `region_id` wants one that exists. */
  const withRegion = async (fields: Fields): Promise<Fields> => {
    const id = optionalString(fields, 'region');
    if (id === undefined || fields['region_id'] !== undefined) return fields;
    if (directory.regions.get(id) === undefined) {
      await directory.regions.put(id, { id: checkRegionId(id), description: '', parent_region_id: null });
    }
    return { ...fields, region_id: id };
  };

  return {
    singular: 'endpoint',
    plural: 'endpoints',
    objects: directory.endpoints,
    filters: ['service_id', 'interface', 'region_id'],
    view: (endpoint) => ({
      ...endpoint,
      region: endpoint.region_id,
      // As an administrator typed it, except for the addresses that only the running sandbox knows.
      url: fillIn(endpoint.url, identity.urlValues('$(project_id)s')) ?? endpoint.url,
      links: { self: `${identity.url}/endpoints/${endpoint.id}` },
    }),
    async create(fields) {
      const enabled = optionalBoolean(fields, 'enabled') ?? true;
      return { id: newHexId(), ...parts(await withRegion(fields)), enabled };
    },
    async update(endpoint, fields) {
      const enabled = optionalBoolean(fields, 'enabled') ?? endpoint.enabled;
      return { ...endpoint, ...parts(await withRegion(fields), endpoint), enabled };
    },
  };
}

function interfaceOf(fields: Fields): EndpointInterface {
  const value = requiredString(fields, 'interface');
  if (value === 'public' || value === 'internal' || value === 'admin') return value;
  throw badRequest("'interface' must be public, internal or admin.");
}

const REGION_ID = /^[\w.-]{1,255}$/;

function checkRegionId(id: string): string {
  if (!REGION_ID.test(id)) {
    throw badRequest('A region may be named with letters, digits, dots, dashes and underscores.');
  }
  return id;
}

/** Regions may be made under an id of one's choice by PUT too. */
export function regionRoutes(app: FastifyInstance, identity: Identity): void {
  app.put<{ Params: { id: string } }>('/v3/regions/:id', async (request, reply) => {
    requireAdmin(sessionOf(request), 'create_region');
    const resource = regionResource(identity);
    const fields = { ...bodyObject(request.body, 'region'), id: request.params.id };
    const region = await resource.create(fields);
    await resource.objects.put(region.id, region);
    return reply.code(201).send({ region: resource.view(region) });
  });
}

export function regionResource(identity: Identity): Resource<RegionRecord> {
  const { directory } = identity;
  return {
    singular: 'region',
    plural: 'regions',
    objects: directory.regions,
    filters: ['parent_region_id'],
    openList: true,
    mayRead: () => true,
    view: (region) => ({ ...region, links: { self: `${identity.url}/regions/${region.id}` } }),
    create(fields) {
      const id = optionalString(fields, 'id') ?? newHexId();
      if (!REGION_ID.test(id)) {
        throw badRequest("'id' may hold letters, digits, dots, dashes and underscores.");
      }
      if (directory.regions.get(id) !== undefined) {
        throw conflict(`Conflict occurred attempting to store region - Duplicate ID, ${id}.`);
      }
      return {
        id,
        description: optionalString(fields, 'description') ?? '',
        parent_region_id: parentOf(fields),
      };
    },
    update: (region, fields) => ({
      ...region,
      description: optionalString(fields, 'description') ?? region.description,
      parent_region_id: fields['parent_region_id'] === undefined ? region.parent_region_id : parentOf(fields),
    }),
    beforeRemove(region) {
      if (directory.endpoints.find((endpoint) => endpoint.region_id === region.id) === undefined) return;
      throw conflict(
        `Unable to delete region ${region.id} because it or its child regions have associated endpoints.`,
      );
    },
  };

  function parentOf(fields: Fields): string | null {
    const parent = optionalString(fields, 'parent_region_id');
    if (parent !== undefined && directory.regions.get(parent) === undefined) missing('region', parent);
    return parent ?? null;
  }
}
