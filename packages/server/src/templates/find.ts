import { Fault, maxInteger, pythonText } from '@jeroboam/domain';
import {
  findTemplates,
  findTemplatesWithGroups,
  identKind,
  type ClusterTemplateRow,
  type Executor,
  type Scope,
  type TemplateWithGroups,
} from '../store/index.ts';

export const templateNotFound = (ident: unknown): Fault => {
  const shown = ident === undefined ? 'Unset' : pythonText(ident);
  return new Fault('not_found', `ClusterTemplate ${shown} could not be found.`, {
    field: 'cluster_template_id',
  });
};

function only<Row extends ClusterTemplateRow>(found: Row[], ident: unknown): Row {
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

/** The same with its node-group templates. */
export async function findTemplateWithGroups(
  executor: Executor,
  ident: string,
  scope: Scope,
): Promise<TemplateWithGroups> {
  const kind = identKind(ident);
  return only(kind === 'nothing' ? [] : await findTemplatesWithGroups(executor, kind, ident, scope), ident);
}

/** As a request body names a template: also by the number of its row, as Magnum allows. */
export async function findTemplateForUse(
  executor: Executor,
  ident: unknown,
  scope: Scope,
): Promise<TemplateWithGroups> {
  if (typeof ident !== 'string') throw templateNotFound(ident);
  if (/^\d{1,10}$/.test(ident) && Number(ident) <= maxInteger) {
    const [byNumber] = await findTemplatesWithGroups(executor, 'id', Number(ident), scope);
    if (byNumber !== undefined) return byNumber;
  }
  return findTemplateWithGroups(executor, ident, scope);
}
