import { maxMinor, minMinor, serviceType } from '@jeroboam/domain';
import type { Operation, QueryArgument } from '../rest/operation.ts';
import { exampleIds } from './examples/rows.ts';
import type { Parameter, Reference, Schema } from './types.ts';

/** What the names in paths stand for. */
const pathParameters: Readonly<Record<string, { description: string; example: string }>> = {
  cluster: { description: 'Uuid or name of the cluster.', example: exampleIds.cluster },
  nodegroup: { description: 'Uuid or name of the node group.', example: 'gpu' },
  template: { description: 'Uuid or name of the cluster template.', example: 'k8s-small' },
  nodegrouptemplate: { description: 'Uuid or name of the node-group template.', example: 'gpu' },
  project: { description: 'Id of the project.', example: exampleIds.project },
  resource: { description: 'What is limited: `Cluster`.', example: 'Cluster' },
  federation: { description: 'Uuid or name of the federation.', example: 'europe' },
};

/** What is known of query arguments beyond their type. */
const querySchemas: Readonly<Record<string, Schema>> = {
  limit: { type: 'integer', minimum: 1 },
  sort_dir: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
  sort_key: { type: 'string', default: 'id' },
};

export const pathTemplate = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

export function pathParametersOf(path: string): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const { description, example } = pathParameters[name] ?? {
      description: `Uuid or name of the ${name}.`,
      example: name,
    };
    return { name, in: 'path', required: true, description, schema: { type: 'string' }, example };
  });
}

const queryParameter = ({ name, description, type, since }: QueryArgument): Parameter => ({
  name,
  in: 'query',
  description,
  schema: querySchemas[name] ?? { type },
  ...(since === undefined ? {} : { 'x-min-microversion': `1.${since}` }),
});

/** Every version there is, and the word for the newest. */
export const microversions = [
  ...Array.from({ length: maxMinor - minMinor + 1 }, (_, index) => `1.${minMinor + index}`),
  'latest',
];

/** The short word for the service that clients put before the version. */
const shortServiceType = 'container-infra';

export const versionHeader: Parameter = {
  name: 'OpenStack-API-Version',
  in: 'header',
  description: `The microversion wanted: the type of the service, a blank, and ${microversions[0]} … 1.${maxMinor} or \`latest\`. Without the header: 1.${minMinor}.`,
  schema: {
    type: 'string',
    pattern: `^(${serviceType}|container-infrastructure|${shortServiceType}) (${microversions.map((version) => version.replace('.', String.raw`\.`)).join('|')})$`,
    default: `${shortServiceType} 1.${minMinor}`,
    examples: [`${shortServiceType} 1.${maxMinor}`, `${shortServiceType} latest`],
  },
  example: `${shortServiceType} 1.${maxMinor}`,
};

export const versionHeaderRef: Reference = { $ref: '#/components/parameters/ApiVersion' };

export const parametersOf = (operation: Operation): (Parameter | Reference)[] => [
  ...pathParametersOf(operation.path),
  ...(operation.query ?? []).map(queryParameter),
  versionHeaderRef,
];
