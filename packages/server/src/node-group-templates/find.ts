import { ambiguousNodeGroupTemplate, nodeGroupTemplateNotFound } from '../sources/groups.ts';
import {
  findNodeGroupTemplates,
  identKind,
  type Executor,
  type NodeGroupTemplateRow,
  type Scope,
} from '../store/index.ts';

/** The one node-group template an identifier means for this caller. */
export async function findNodeGroupTemplate(
  executor: Executor,
  ident: string,
  scope: Scope,
): Promise<NodeGroupTemplateRow> {
  const kind = identKind(ident);
  const [template, another] =
    kind === 'nothing' ? [] : await findNodeGroupTemplates(executor, kind, ident, scope);
  if (template === undefined) throw nodeGroupTemplateNotFound(ident);
  if (another !== undefined) throw ambiguousNodeGroupTemplate();
  return template;
}
