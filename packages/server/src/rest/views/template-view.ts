import type { ClusterTemplateRow } from '../../store/index.ts';
import { linksOf } from '../links.ts';

/** A template; lists and single answers show the same. */
export function templateView(template: ClusterTemplateRow, base: string): Record<string, unknown> {
  const { id: _number, ...shown } = template;
  return { ...shown, links: linksOf(base, `clustertemplates/${template.uuid}`) };
}
