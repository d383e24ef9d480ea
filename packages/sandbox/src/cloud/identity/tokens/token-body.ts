import { microsecondsZ } from '../../times.ts';
import type { CatalogView } from '../catalog.ts';
import type { Directory } from '../directory.ts';
import type { Session } from './session.ts';

/** A token as Keystone shows it, to its owner and to the services that validate it. */
export function tokenBody(session: Session, directory: Directory, catalog: CatalogView | undefined): unknown {
  const { claims, user, credential } = session;
  return {
    token: {
      methods: claims.methods,
      user: {
        domain: domainView(user.domain_id, directory),
        id: user.id,
        name: user.name,
        password_expires_at: null,
      },
      audit_ids: claims.auditIds,
      expires_at: microsecondsZ(claims.expiresAt),
      issued_at: microsecondsZ(claims.issuedAt),
      ...scopeView(session, directory),
      ...(claims.scope.kind === 'unscoped'
        ? {}
        : { roles: session.roleRecords.map(({ id, name }) => ({ id, name })), ...(catalog && { catalog }) }),
      ...(credential && {
        application_credential: {
          id: credential.id,
          name: credential.name,
          restricted: !credential.unrestricted,
        },
      }),
    },
  };
}

function scopeView({ claims: { scope } }: Session, directory: Directory): object {
  if (scope.kind === 'system') return { system: { all: true } };
  if (scope.kind === 'domain') return { domain: domainView(scope.id, directory) };
  const project = scope.kind === 'project' ? directory.projects.get(scope.id) : undefined;
  if (project === undefined) return {};
  return {
    project: { domain: domainView(project.domain_id, directory), id: project.id, name: project.name },
    is_domain: false,
  };
}

function domainView(id: string, directory: Directory): { id: string; name: string } {
  return { id, name: directory.domains.get(id)?.name ?? id };
}
