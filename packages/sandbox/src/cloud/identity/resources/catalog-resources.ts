import { badRequest, conflict } from '../../http/api-error.ts';
import { optionalBoolean, optionalString, requiredName, requiredString } from '../../http/fields.ts';
import type { Fields } from '../../http/fields.ts';
import { newHexId } from '../../ids.ts';
import { fillIn } from '../catalog.ts';
import type { Identity } from '../identity.ts';
import type { EndpointInterface, EndpointRecord, RegionRecord, ServiceRecord } from '../model.ts';
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
    if (directory.services.get(serviceId) === undefined)
      throw badRequest(`Could not find service: ${serviceId}.`);
    const regionId =
      optionalString(fields, 'region_id') ??
      optionalString(fields, 'region') ??
      known?.region_id ??
      identity.cloud.region;
    if (directory.regions.get(regionId) === undefined)
      throw badRequest(`Could not find region: ${regionId}.`);
    return {
      service_id: serviceId,
      interface: fields['interface'] === undefined && known ? known.interface : interfaceOf(fields),
      region_id: regionId,
      url: fields['url'] === undefined && known ? known.url : requiredName(fields, 'url'),
    };
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
    create: (fields) => ({
      id: newHexId(),
      ...parts(fields),
      enabled: optionalBoolean(fields, 'enabled') ?? true,
    }),
    update: (endpoint, fields) => ({
      ...endpoint,
      ...parts(fields, endpoint),
      enabled: optionalBoolean(fields, 'enabled') ?? endpoint.enabled,
    }),
  };
}

function interfaceOf(fields: Fields): EndpointInterface {
  const value = requiredString(fields, 'interface');
  if (value === 'public' || value === 'internal' || value === 'admin') return value;
  throw badRequest("'interface' must be public, internal or admin.");
}

const REGION_ID = /^[\w.-]{1,255}$/;

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
      if (!REGION_ID.test(id))
        throw badRequest("'id' may hold letters, digits, dots, dashes and underscores.");
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
