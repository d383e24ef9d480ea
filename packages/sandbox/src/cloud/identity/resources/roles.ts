import { conflict, forbidden } from '../../http/api-error.ts';
import { optionalObject, optionalString, requiredName } from '../../http/fields.ts';
import { newHexId } from '../../ids.ts';
import type { Identity } from '../identity.ts';
import type { Role } from '../model.ts';
import type { Resource } from './resource.ts';

/** A role as it stands inside other answers. */
export function roleDetails(role: Role): object {
  return {
    id: role.id,
    name: role.name,
    domain_id: null,
    description: role.description,
    options: role.immutable ? { immutable: true } : {},
  };
}

export function roleView(role: Role, identity: Identity): object {
  return { ...roleDetails(role), links: { self: `${identity.url}/roles/${role.id}` } };
}

export function roleResource(identity: Identity): Resource<Role> {
  const { directory } = identity;

  const requireFreeName = (name: string, id?: string): void => {
    const taken = directory.roleByName(name);
    if (taken === undefined || taken.id === id) return;
    throw conflict(`Conflict occurred attempting to store role - Duplicate entry found with name ${name}.`);
  };

  const requireMutable = (role: Role): void => {
    if (role.immutable) throw forbidden(`Cannot modify or delete the immutable role ${role.id}.`);
  };

  return {
    singular: 'role',
    plural: 'roles',
    objects: directory.roles,
    filters: ['name'],
    view: (role) => roleView(role, identity),
    create(fields) {
      const name = requiredName(fields);
      requireFreeName(name);
      return {
        id: newHexId(),
        name,
        description: optionalString(fields, 'description') ?? null,
        immutable: optionalObject(fields, 'options')?.['immutable'] === true,
      };
    },
    update(role, fields) {
      const immutable = optionalObject(fields, 'options')?.['immutable'];
      // Taking the lock off is the one change that a locked role allows.
      if (immutable !== false) requireMutable(role);
      const name = fields['name'] === undefined ? role.name : requiredName(fields);
      requireFreeName(name, role.id);
      return {
        ...role,
        name,
        description: optionalString(fields, 'description') ?? role.description,
        immutable: typeof immutable === 'boolean' ? immutable : role.immutable,
      };
    },
    async beforeRemove(role) {
      requireMutable(role);
      await directory.unassign((assignment) => assignment.roleId === role.id);
    },
  };
}
