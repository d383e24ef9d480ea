import { randomUUID } from 'node:crypto';
import type { TemplateOfGroup } from '@jeroboam/domain';
import type { Insertable, Selectable } from 'kysely';
import type { NodeGroupTemplateTable } from './schema.ts';

export type NodeGroupTemplateRow = Selectable<NodeGroupTemplateTable>;

/** Columns that hold documents. */
const documents = new Set([
  'labels',
  'node_labels',
  'node_taints',
  'root_volume',
  'data_volumes',
  'availability_zones',
  'networks',
  'security_groups',
]);

/** Attribute values as the store keeps them; null is open. */
export const storedGroupValues = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      documents.has(name) && value !== null ? JSON.stringify(value) : value,
    ]),
  );

/** The row of a new node-group template. Within a cluster template it is as visible as that. */
export function newGroupTemplateRow(
  template: Pick<TemplateOfGroup, 'name' | 'values' | 'mergesLabels'>,
  owner: {
    projectId: string;
    userId: string;
    clusterTemplate: { uuid: string; public: boolean; hidden: boolean } | null;
  },
): Insertable<NodeGroupTemplateTable> {
  const { clusterTemplate } = owner;
  return {
    ...storedGroupValues(template.values),
    uuid: randomUUID(),
    name: template.name,
    project_id: owner.projectId,
    user_id: owner.userId,
    cluster_template_id: clusterTemplate?.uuid ?? null,
    merge_labels: template.mergesLabels,
    public: clusterTemplate?.public ?? false,
    hidden: clusterTemplate?.hidden ?? false,
  };
}
