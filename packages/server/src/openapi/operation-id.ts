/** Names of resources as they stand in operation ids, where the policy's word for them does not give them. */
const nouns: Readonly<Record<string, { one: string; many: string }>> = {
  clustertemplate: { one: 'ClusterTemplate', many: 'ClusterTemplates' },
  nodegroup: { one: 'NodeGroup', many: 'NodeGroups' },
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

/**
 * The name code generators give an operation. It comes from the policy rule: every operation has its own, and
 * operators' policy files keep it from ever changing.
 */
export function operationId(rule: string): string {
  const [resource = '', action = ''] = rule.split(':');
  const { one, many } = nouns[resource] ?? {
    one: capital(camel(resource)),
    many: `${capital(camel(resource))}s`,
  };
  if (action === 'get_all') return `list${many}`;
  if (action === 'detail') return `list${many}Detail`;
  return `${camel(action)}${one}`;
}
