import type { Collection } from '../store/collection.ts';
import type { ObjectSpace } from '../store/object-space.ts';
import type {
  ApplicationCredential,
  Assignment,
  Domain,
  EndpointRecord,
  Project,
  RegionRecord,
  Role,
  ServiceRecord,
  Target,
  User,
} from './model.ts';
import { withImplied } from './roles.ts';

/** Everything Keystone knows, with the questions that are asked again and again. */
export class Directory {
  readonly domains: Collection<Domain>;
  readonly projects: Collection<Project>;
  readonly users: Collection<User>;
  readonly roles: Collection<Role>;
  readonly assignments: Collection<Assignment>;
  readonly credentials: Collection<ApplicationCredential>;
  readonly services: Collection<ServiceRecord>;
  readonly endpoints: Collection<EndpointRecord>;
  readonly regions: Collection<RegionRecord>;

  constructor(objects: ObjectSpace) {
    this.domains = objects.collection('identity.domain');
    this.projects = objects.collection('identity.project');
    this.users = objects.collection('identity.user');
    this.roles = objects.collection('identity.role');
    this.assignments = objects.collection('identity.assignment');
    this.credentials = objects.collection('identity.application-credential');
    this.services = objects.collection('identity.service');
    this.endpoints = objects.collection('identity.endpoint');
    this.regions = objects.collection('identity.region');
  }

  domainByName(name: string): Domain | undefined {
    return this.domains.find((domain) => domain.name === name);
  }

  projectByName(name: string, domainId: string): Project | undefined {
    return this.projects.find((project) => project.name === name && project.domain_id === domainId);
  }

  userByName(name: string, domainId: string): User | undefined {
    return this.users.find((user) => user.name === name && user.domain_id === domainId);
  }

  roleByName(name: string): Role | undefined {
    return this.roles.find((role) => role.name === name);
  }

  /** The roles a user was given somewhere, without those they imply. */
  assignedRoles(userId: string, target: Target): Role[] {
    return this.assignments
      .filter((assignment) => assignment.userId === userId && sameTarget(assignment.target, target))
      .flatMap((assignment) => this.roles.get(assignment.roleId) ?? []);
  }

  /** The roles a user holds somewhere, implied ones included. */
  effectiveRoles(userId: string, target: Target): Role[] {
    return this.expand(this.assignedRoles(userId, target));
  }

  expand(roles: readonly Role[]): Role[] {
    return withImplied(roles.map((role) => role.name)).flatMap((name) => this.roleByName(name) ?? []);
  }

  async assign(assignment: Assignment): Promise<void> {
    await this.assignments.put(assignmentId(assignment), assignment);
  }

  /** Takes roles away; the application credentials that rested on them go too, as in Keystone. */
  async unassign(matches: (assignment: Assignment) => boolean): Promise<void> {
    for (const assignment of this.assignments.filter(matches)) {
      await this.assignments.delete(assignmentId(assignment));
      const { target, userId } = assignment;
      if (!('project' in target)) continue;
      await this.removeCredentials((item) => item.user_id === userId && item.project_id === target.project);
    }
  }

  async removeCredentials(matches: (credential: ApplicationCredential) => boolean): Promise<void> {
    for (const credential of this.credentials.filter(matches)) await this.credentials.delete(credential.id);
  }
}

export function assignmentId({ userId, roleId, target }: Assignment): string {
  return `${userId}/${targetKey(target)}/${roleId}`;
}

export function sameTarget(left: Target, right: Target): boolean {
  return targetKey(left) === targetKey(right);
}

function targetKey(target: Target): string {
  if ('project' in target) return `project:${target.project}`;
  return 'domain' in target ? `domain:${target.domain}` : 'system:all';
}
