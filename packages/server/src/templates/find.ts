import { Fault, maxInteger, pythonText } from '@jeroboam/domain';
import {
  findTemplates,
  identKind,
  type ClusterTemplateRow,
  type Executor,
  type Scope,
} from '../store/index.ts';

export const templateNotFound = (ident: unknown): Fault => {
  const shown = ident === undefined ? 'Unset' : pythonText(ident);
  return new Fault('not_found', `ClusterTemplate ${shown} could not be found.`, {
    field: 'cluster_template_id',
  });
};

function only(found: ClusterTemplateRow[], ident: unknown): ClusterTemplateRow {
  const [template, another] = found;
  if (template === undefined) throw templateNotFound(ident);
  if (another !== undefined) {
    const message =
      'Multiple ClusterTemplates exist with same name. Please use the ClusterTemplate uuid instead.';
    throw new Fault('conflict', message);
  }
  return template;
}

/** The one template an identifier means for this caller. */
export async function findTemplate(
  executor: Executor,
  ident: string,
  scope: Scope,
): Promise<ClusterTemplateRow> {
  const kind = identKind(ident);
  return only(kind === 'nothing' ? [] : await findTemplates(executor, kind, ident, scope), ident);
}

/** As a request body names a template: also by the number of its row, as Magnum allows. */
export async function findTemplateForUse(
  executor: Executor,
  ident: unknown,
  scope: Scope,
): Promise<ClusterTemplateRow> {
  if (typeof ident !== 'string') throw templateNotFound(ident);
  if (/^\d{1,10}$/.test(ident) && Number(ident) <= maxInteger) {
    const [byNumber] = await findTemplates(executor, 'id', Number(ident), scope);
    if (byNumber !== undefined) return byNumber;
  }
  return findTemplate(executor, ident, scope);
}
