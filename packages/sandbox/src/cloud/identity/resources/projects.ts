import { badRequest, conflict } from '../../http/api-error.ts';
import { optionalBoolean, optionalString, optionalStrings, requiredName } from '../../http/fields.ts';
import { newHexId } from '../../ids.ts';
import type { Identity } from '../identity.ts';
import { DEFAULT_DOMAIN } from '../model.ts';
import type { Project } from '../model.ts';
import { missing, PLACE_NAME_LIMIT, refuseChange } from './resource.ts';
import type { Resource } from './resource.ts';

export function projectView(project: Project, identity: Identity): object {
  return {
    ...project,
    is_domain: false,
    options: {},
    links: { self: `${identity.url}/projects/${project.id}` },
  };
}

export function projectResource(identity: Identity): Resource<Project> {
  const { directory } = identity;

  const requireFreeName = (name: string, domainId: string, id?: string): void => {
    const taken = directory.projectByName(name, domainId);
    if (taken === undefined || taken.id === id) return;
    throw conflict(
      `Conflict occurred attempting to store project - it is not permitted to have two projects with the same name in the same domain : ${name}.`,
    );
  };

  return {
    singular: 'project',
    plural: 'projects',
    objects: directory.projects,
    filters: ['name', 'domain_id', 'parent_id', 'enabled', 'is_domain'],
    view: (project) => projectView(project, identity),
    mayRead: (session, project) => session.projectId === project.id,
    create(fields) {
      if (optionalBoolean(fields, 'is_domain') === true) {
        throw badRequest("'is_domain' must be false: make a domain with POST /v3/domains.");
      }
      const name = requiredName(fields, 'name', PLACE_NAME_LIMIT);
      const domainId = optionalString(fields, 'domain_id') ?? DEFAULT_DOMAIN;
      if (directory.domains.get(domainId) === undefined) missing('domain', domainId);
      const parentId = optionalString(fields, 'parent_id') ?? domainId;
      if (parentId !== domainId && directory.projects.get(parentId) === undefined)
        missing('project', parentId);
      requireFreeName(name, domainId);
      return {
        id: newHexId(),
        name,
        domain_id: domainId,
        description: optionalString(fields, 'description') ?? '',
        enabled: optionalBoolean(fields, 'enabled') ?? true,
        parent_id: parentId,
        tags: optionalStrings(fields, 'tags') ?? [],
      };
    },
    update(project, fields) {
      refuseChange(fields, 'domain_id', project.domain_id);
      refuseChange(fields, 'parent_id', project.parent_id);
      const name =
        fields['name'] === undefined ? project.name : requiredName(fields, 'name', PLACE_NAME_LIMIT);
      requireFreeName(name, project.domain_id, project.id);
      return {
        ...project,
        name,
        description: optionalString(fields, 'description') ?? project.description,
        enabled: optionalBoolean(fields, 'enabled') ?? project.enabled,
        tags: optionalStrings(fields, 'tags') ?? project.tags,
      };
    },
    beforeRemove: (project) => removeGrants(identity, project),
  };
}

async function removeGrants({ directory }: Identity, project: Project): Promise<void> {
  await directory.unassign(({ target }) => 'project' in target && target.project === project.id);
  await directory.removeCredentials((credential) => credential.project_id === project.id);
}

export async function removeProject(identity: Identity, project: Project): Promise<void> {
  await removeGrants(identity, project);
  await identity.directory.projects.delete(project.id);
}
