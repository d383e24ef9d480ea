// The tables of docs/resources.md, made from the tables that validate requests.

import {
  clusterAttributes,
  clusterSpec,
  clusterTemplateAttributes,
  nodeGroupAttributes,
  nodeGroupSpec,
  nodeGroupTemplateAttributes,
} from '../../packages/domain/src/index.ts';

const code = (text) => `\`${text}\``;

const range = (from, to) => {
  if (from !== undefined && to !== undefined) return ` ${from}–${to}`;
  if (from !== undefined) return ` ≥ ${from}`;
  return to === undefined ? '' : ` ≤ ${to}`;
};

/** A type in few words. Lengths of text that nobody reaches go without saying. */
function typeWords(type) {
  switch (type.kind) {
    case 'integer':
      return `integer${range(type.min, type.max)}`;
    case 'choice':
      return type.of.map(code).join(', ');
    case 'map':
      return type.of === 'anything' ? 'map' : 'map of text';
    case 'list':
      return `list of ${typeWords(type.of)}${type.max === undefined ? '' : `, ${type.max} at most`}`;
    case 'object':
      return memberWords(type.members);
    case 'string':
      return 'text';
    default:
      return type.kind;
  }
}

/** What an object is made of. The members of a group within a request are the attributes of a group. */
function memberWords(members) {
  if (members.length > 5) return 'node groups';
  const shown = members.map(
    ({ name, type, mandatory }) => `${code(name)}${mandatory === true ? '' : '?'}: ${typeWords(type)}`,
  );
  return `{ ${shown.join(', ')} }`;
}

const changeWords = { free: 'free', rolls: 'rolls nodes', immutable: 'never' };

function defaultWords({ fallback, default: value }) {
  const known = fallback ?? value ?? null;
  return known === null ? '' : code(typeof known === 'string' ? known : JSON.stringify(known));
}

const nameWords = ({ name, extension }) => (extension === true ? `${code(name)} +` : code(name));

const columns = {
  name: { title: 'attribute', cell: nameWords },
  type: { title: 'type', cell: ({ type }) => typeWords(type) },
  default: { title: 'default', cell: defaultWords },
  change: {
    title: 'change',
    cell: ({ mutability }) => (mutability === undefined ? '' : changeWords[mutability]),
  },
  description: { title: 'description', cell: ({ description }) => description },
};

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;

const table = (attributes, shown) =>
  [
    row(shown.map(({ title }) => title)),
    `|${'---|'.repeat(shown.length)}`,
    ...attributes.map((attribute) => row(shown.map(({ cell }) => cell(attribute)))),
  ].join('\n');

/** What to do instead of changing what cannot be changed; attributes with the same way out share a line. */
function insteadOf(attributes) {
  const ways = new Map();
  for (const { name, instead } of attributes)
    if (instead !== undefined) ways.set(instead, [...(ways.get(instead) ?? []), code(name)]);
  return [...ways].map(([instead, names]) => `- ${names.join(', ')}: ${instead}`).join('\n');
}

const { name, type, change, description } = columns;

const specTable = (spec) =>
  [
    table(spec, [name, type, columns.default, change, description]),
    'Instead of changing what cannot be changed:',
    insteadOf(spec),
  ].join('\n\n');

/** What a request may carry beside that which makes up the resource. */
function besideSpec({ attributes }, spec, isShown = () => true) {
  const known = new Set(spec.map((attribute) => attribute.name));
  const shown = attributes.filter(
    (attribute) => attribute.readOnly !== true && !known.has(attribute.name) && isShown(attribute),
  );
  return table(shown, [name, type, columns.default, description]);
}

/** Of Magnum's attributes that are no part of a spec, those that say what to make the resource from. */
const saysFromWhat = ({ name, extension }) =>
  extension === true || name === 'cluster_template_id' || name === 'merge_labels';

const tables = {
  ClusterSpec: () => specTable(clusterSpec),
  NodeGroupSpec: () => specTable(nodeGroupSpec),
  ClusterRequest: () => besideSpec(clusterAttributes, clusterSpec, saysFromWhat),
  NodeGroupRequest: () => besideSpec(nodeGroupAttributes, nodeGroupSpec, saysFromWhat),
  ClusterTemplate: () => besideSpec(clusterTemplateAttributes, clusterSpec),
  NodeGroupTemplate: () => besideSpec(nodeGroupTemplateAttributes, nodeGroupSpec),
};

const place = /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The page with every table between its marks as the attributes say now. */
export function withTables(page) {
  const missing = new Set(Object.keys(tables));
  const filled = page.replaceAll(place, (_all, start, title, end) => {
    if (!Object.hasOwn(tables, title)) throw new Error(`there is no table ${title} to generate`);
    missing.delete(title);
    return `${start}\n${tables[title]()}\n\n${end}`;
  });
  if (missing.size > 0) throw new Error(`the page has no place for ${[...missing].join(', ')}`);
  return filled;
}
