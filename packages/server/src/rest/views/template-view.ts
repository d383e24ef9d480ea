import { clusterTemplateAttributes } from '@jeroboam/domain';
import type { ClusterTemplateRow, TemplateWithGroups } from '../../store/index.ts';
import { linksOf } from '../links.ts';
import { nodeGroupTemplateView } from './node-group-template-view.ts';

/** What Magnum's clients see where a template leaves open what a template of Magnum always says. */
const whenOpen: [keyof ClusterTemplateRow, unknown][] = [
  ['coe', 'kubernetes'],
  ['server_type', 'vm'],
  ['registry_enabled', false],
  ['tls_disabled', false],
  ['master_lb_enabled', false],
  ['floating_ip_enabled', true],
];

const extensions = clusterTemplateAttributes.attributes
  .filter(({ extension }) => extension === true)
  .map(({ name }) => name);

/** A template as Magnum shows it; lists and single answers show the same. */
export function templateView(template: ClusterTemplateRow, base: string): Record<string, unknown> {
  const { id: _number, ...row } = template;
  const shown: Record<string, unknown> = { ...row };
  for (const name of extensions) delete shown[name];
  for (const [name, value] of whenOpen) shown[name] ??= value;
  shown['links'] = linksOf(base, `clustertemplates/${template.uuid}`);
  return shown;
}

/** A template with every attribute, null where it is left open. */
export function wholeTemplateView(template: ClusterTemplateRow, base: string): Record<string, unknown> {
  const { id: _number, groups: _groups, ...row } = template as ClusterTemplateRow & { groups?: unknown };
  return { ...row, links: linksOf(base, `clustertemplates/${template.uuid}`) };
}

/** The same with its node-group templates. */
export const templateWithGroupsView = (
  template: TemplateWithGroups,
  base: string,
): Record<string, unknown> => ({
  ...wholeTemplateView(template, base),
  nodegroups: template.groups.map((group) => nodeGroupTemplateView(group, base)),
});
