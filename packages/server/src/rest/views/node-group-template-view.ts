import type { NodeGroupTemplateRow } from '../../store/index.ts';
import { linksOf } from '../links.ts';

/** A node-group template; null where it leaves something open. */
export function nodeGroupTemplateView(template: NodeGroupTemplateRow, base: string): Record<string, unknown> {
  const { id: _number, ...shown } = template;
  return { ...shown, links: linksOf(base, `nodegrouptemplates/${template.uuid}`) };
}
