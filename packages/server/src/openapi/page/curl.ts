import type { ApiDocument, OperationObject, Parameter, Reference } from '../types.ts';
import { refName } from './schema-words.ts';

/** A word that a shell passes on unchanged. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function resolveParameter(document: ApiDocument, parameter: Parameter | Reference): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const found = document.components.parameters[refName(parameter.$ref)];
  if (found === undefined) throw new Error(`${parameter.$ref} is not in the document`);
  return found;
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** A command that sends the example of an operation; the token is taken from the environment. */
export function curlCommand(
  document: ApiDocument,
  method: string,
  path: string,
  operation: OperationObject,
): string {
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
  const headers = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, example }) => `-H ${shellQuoted(`${name}: ${String(example)}`)}`);
  const body = operation.requestBody?.content['application/json']?.example;
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  const lines = [
    `curl${verb} ${shellQuoted(`${document.servers[0]?.url ?? ''}${filled}`)}`,
    ...(operation.security?.length === 0 ? [] : ['-H "X-Auth-Token: $OS_TOKEN"']),
    ...headers,
    ...(body === undefined
      ? []
      : [
          `-H ${shellQuoted('Content-Type: application/json')}`,
          `-d ${shellQuoted(indented(JSON.stringify(body, null, 2)))}`,
        ]),
  ];
  return lines.join(' \\\n  ');
}
