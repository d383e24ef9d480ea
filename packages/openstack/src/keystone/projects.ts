import { findOne } from '../find.ts';
import type { FindResult } from '../find.ts';
import type { Session } from '../session.ts';
import type { Named } from './token.ts';

export interface Project extends Named {
  readonly domainId: string | null;
  readonly enabled: boolean;
}

export function getProject(session: Session, id: string): Promise<FindResult<Project>> {
  return findOne(session, 'identity', ['projects', id], (answer) => {
    const raw = answer.object('project');
    return {
      id: raw.text('id'),
      name: raw.text('name'),
      domainId: raw.textOrNull('domain_id'),
      enabled: raw.flag('enabled', true),
    };
  });
}
