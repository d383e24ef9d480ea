import { conflict, forbidden } from '../../http/api-error.ts';
import { optionalBoolean, optionalString, requiredName } from '../../http/fields.ts';
import { newHexId } from '../../ids.ts';
import type { Identity } from '../identity.ts';
import type { Domain } from '../model.ts';
import { removeProject } from './projects.ts';
import { PLACE_NAME_LIMIT } from './resource.ts';
import type { Resource } from './resource.ts';
import { removeUser } from './users.ts';

export function domainResource(identity: Identity): Resource<Domain> {
  const { directory } = identity;

  const requireFreeName = (name: string, id?: string): void => {
    const taken = directory.domainByName(name);
    if (taken === undefined || taken.id === id) return;
    throw conflict(
      `Conflict occurred attempting to store project - it is not permitted to have two projects acting as domains with the same name: ${name}.`,
    );
  };

  return {
    singular: 'domain',
    plural: 'domains',
    objects: directory.domains,
    filters: ['name', 'enabled'],
    view: (domain) => ({
      ...domain,
      tags: [],
      options: {},
      links: { self: `${identity.url}/domains/${domain.id}` },
    }),
    mayRead: (session, domain) =>
      domain.id === session.user.domain_id ||
      (session.projectId !== undefined && directory.projects.get(session.projectId)?.domain_id === domain.id),
    create(fields) {
      const name = requiredName(fields, 'name', PLACE_NAME_LIMIT);
      requireFreeName(name);
      return {
        id: newHexId(),
        name,
        description: optionalString(fields, 'description') ?? '',
        enabled: optionalBoolean(fields, 'enabled') ?? true,
      };
    },
    update(domain, fields) {
      const name =
        fields['name'] === undefined ? domain.name : requiredName(fields, 'name', PLACE_NAME_LIMIT);
      requireFreeName(name, domain.id);
      return {
        ...domain,
        name,
        description: optionalString(fields, 'description') ?? domain.description,
        enabled: optionalBoolean(fields, 'enabled') ?? domain.enabled,
      };
    },
    async beforeRemove(domain) {
      if (domain.enabled) {
        throw forbidden(
          'You are not authorized to perform the requested action: Cannot delete a domain that is enabled, please disable it first.',
        );
      }
      for (const user of directory.users.filter((item) => item.domain_id === domain.id))
        await removeUser(identity, user);
      for (const project of directory.projects.filter((item) => item.domain_id === domain.id)) {
        await removeProject(identity, project);
      }
      await directory.unassign(({ target }) => 'domain' in target && target.domain === domain.id);
    },
  };
}
