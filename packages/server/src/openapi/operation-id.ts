/** Names of resources as they stand in operation ids, where the policy's word for them does not give them. */
const nouns: Readonly<Record<string, { one: string; many: string }>> = {
  clustertemplate: { one: 'ClusterTemplate', many: 'ClusterTemplates' },
  nodegroup: { one: 'NodeGroup', many: 'NodeGroups' },
  nodegrouptemplate: { one: 'NodeGroupTemplate', many: 'NodeGroupTemplates' },
  'magnum-service': { one: 'Service', many: 'Services' },
  stats: { one: 'Stats', many: 'Stats' },
};

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** rotate_ca → rotateCa */
const camel = (words: string): string =>
  words
    .split(/[_-]/)
    .map((word, index) => (index === 0 ? word : capital(word)))
    .join('');

const nounsOf = (resource: string): { one: string; many: string } =>
  nouns[resource] ?? { one: capital(camel(resource)), many: `${capital(camel(resource))}s` };

/**
 * The name code generators give an operation. It comes from the policy rule: every operation has its own, and
 * operators' policy files keep it from ever changing. `_in_` says whose collection is meant.
 */
export function operationId(rule: string): string {
  const [resource = '', words = ''] = rule.split(':');
  const { one, many } = nounsOf(resource);
  const [action = '', parent] = words.split('_in_');
  const place = parent === undefined ? '' : `In${nounsOf(parent).one}`;
  if (action === 'get_all') return `list${many}${place}`;
  if (action === 'detail') return `list${many}Detail`;
  return `${camel(action)}${one}${place}`;
}
