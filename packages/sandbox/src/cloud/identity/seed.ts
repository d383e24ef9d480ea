import type { SeedBook } from '../store/seed-book.ts';
import type { Directory } from './directory.ts';
import { DEFAULT_DOMAIN } from './model.ts';
import type { Target } from './model.ts';
import { BOOTSTRAP_ROLES } from './roles.ts';
import { hashSecret, verifySecret } from './secrets.ts';

export type SandboxUser = 'admin' | 'demo' | 'reader' | 'bob' | 'jeroboam';
export type SandboxProject = 'admin' | 'demo' | 'second' | 'service';

const PROJECTS: readonly SandboxProject[] = ['admin', 'demo', 'second', 'service'];

/** Who is born with the cloud, and what they may do where. */
const USERS: readonly {
  name: SandboxUser;
  project: SandboxProject;
  roles: readonly string[];
  system?: boolean;
}[] = [
  { name: 'admin', project: 'admin', roles: ['admin'], system: true },
  { name: 'demo', project: 'demo', roles: ['member'] },
  { name: 'reader', project: 'demo', roles: ['reader'] },
  { name: 'bob', project: 'second', roles: ['member'] },
  // The service user: `service` lets it validate the tokens of others, `admin` act on their projects.
  { name: 'jeroboam', project: 'service', roles: ['admin', 'service'] },
];

export interface SeededIdentity {
  projects: Record<SandboxProject, string>;
  users: Record<SandboxUser, string>;
}

/** Puts in place what is missing of the first domain, projects, users and roles, and sets the given passwords. */
export async function seedIdentity(
  directory: Directory,
  seeds: SeedBook,
  passwords: Record<SandboxUser, string>,
): Promise<SeededIdentity> {
  await seedDomainAndRoles(directory, seeds);
  const projects = { admin: '', demo: '', second: '', service: '' };
  for (const name of PROJECTS) projects[name] = await seedProject(name, directory, seeds);
  const users = { admin: '', demo: '', reader: '', bob: '', jeroboam: '' };
  for (const { name } of USERS) users[name] = await seedUser(name, passwords[name], directory, seeds);

  const grants = USERS.flatMap(({ name, project, roles, system }) => {
    const targets: Target[] = [
      { project: projects[project] },
      ...(system === true ? [{ system: 'all' } as const] : []),
    ];
    return targets.flatMap((target) =>
      roles.map((role) => ({
        seed: `${name}/${JSON.stringify(Object.keys(target))}/${role}`,
        name,
        target,
        role,
      })),
    );
  });
  await seeds.sow('identity.grants', grants, async ({ name, target, role }) => {
    const roleId = directory.roleByName(role)?.id;
    if (roleId !== undefined) await directory.assign({ userId: users[name], roleId, target });
  });
  return { projects, users };
}

async function seedDomainAndRoles(directory: Directory, seeds: SeedBook): Promise<void> {
  if (directory.domains.get(DEFAULT_DOMAIN) === undefined) {
    const description = 'The default domain';
    await directory.domains.put(DEFAULT_DOMAIN, {
      id: DEFAULT_DOMAIN,
      name: 'Default',
      description,
      enabled: true,
    });
  }
  for (const name of BOOTSTRAP_ROLES) {
    if (directory.roleByName(name) !== undefined) continue;
    const id = seeds.hexId(`role/${name}`);
    await directory.roles.put(id, { id, name, description: null, immutable: true });
  }
}

async function seedProject(name: SandboxProject, directory: Directory, seeds: SeedBook): Promise<string> {
  const known = directory.projectByName(name, DEFAULT_DOMAIN);
  if (known !== undefined) return known.id;
  const id = seeds.hexId(`project/${name}`);
  await directory.projects.put(id, {
    id,
    name,
    domain_id: DEFAULT_DOMAIN,
    description: '',
    enabled: true,
    parent_id: DEFAULT_DOMAIN,
    tags: [],
  });
  return id;
}

async function seedUser(
  name: SandboxUser,
  password: string,
  directory: Directory,
  seeds: SeedBook,
): Promise<string> {
  const known = directory.userByName(name, DEFAULT_DOMAIN);
  if (known !== undefined && (await verifySecret(password, known.passwordHash))) return known.id;
  const id = known?.id ?? seeds.hexId(`user/${name}`);
  const passwordHash = await hashSecret(password);
  await directory.users.put(id, {
    ...(known ?? { id, name, domain_id: DEFAULT_DOMAIN, enabled: true }),
    passwordHash,
  });
  return id;
}
