import type { ApiDocument, OperationObject, Schema } from '../types.ts';
import { answers } from './answer.ts';
import { curlCommand, resolveParameter } from './curl.ts';
import { html, nothing, type Html } from './html.ts';
import { prose } from './prose.ts';
import { refName, schemaWords } from './schema-words.ts';
import { parameterTable, requestTable } from './tables.ts';

/** The schema of a request body, where it is an object with attributes of its own. */
export function requestAttributes(document: ApiDocument, operation: OperationObject): Schema | null {
  const ref = operation.requestBody?.content['application/json']?.schema.$ref;
  const schema = ref === undefined ? undefined : document.components.schemas[refName(ref)];
  return schema?.properties === undefined ? null : schema;
}

/** What the media type of the extensions makes of the body: another schema, or more that the same may say. */
function extendedBody({ requestBody }: OperationObject): Html {
  const [[, plain] = [], [type, extended] = []] = Object.entries(requestBody?.content ?? {});
  if (type === undefined || extended === undefined) return nothing;
  const differs = extended.schema.$ref !== plain?.schema.$ref;
  const kind = differs ? html`<p>As <code>${type}</code>: ${schemaWords(extended.schema)}.</p>` : nothing;
  return html`${kind}
    <details>
      <summary>Example with extensions <span class="type">${type}</span></summary>
      <pre><code>${JSON.stringify(extended.example, null, 2)}</code></pre>
    </details>`;
}

function body(document: ApiDocument, operation: OperationObject): Html {
  const attributes = requestAttributes(document, operation);
  if (attributes !== null) return requestTable(attributes);
  const { description, content } = operation.requestBody ?? {};
  const schema = content?.['application/json']?.schema;
  const kind = schema?.$ref === undefined ? nothing : html`<p>Body: ${schemaWords(schema)}.</p>`;
  return html`${kind}${description === undefined ? nothing : prose(description)}`;
}

/** What is addressed and asked for. The version header, which all have, is told once for all of them. */
function parameters(document: ApiDocument, operation: OperationObject): Html {
  const told = (operation.parameters ?? [])
    .map((parameter) => resolveParameter(document, parameter))
    .filter((parameter) => parameter.in !== 'header');
  return told.length === 0 ? nothing : parameterTable(told);
}

function facts(operation: OperationObject): Html {
  const rule = operation['x-policy-rule'];
  const since = operation['x-min-microversion'];
  if (rule === undefined || since === undefined) return html`<p class="facts">Public: needs no token.</p>`;
  return html`<dl class="facts">
    <div>
      <dt>Policy rule</dt>
      <dd><code>${rule}</code></dd>
    </div>
    <div>
      <dt>From microversion</dt>
      <dd>${since}</dd>
    </div>
  </dl>`;
}

/** The facts have a place of their own, so the sentence about them, the last one, is left out of the text. */
const note = ({ description, 'x-policy-rule': rule }: OperationObject): Html[] =>
  prose(description).slice(0, rule === undefined ? undefined : -1);

/** One operation for people. */
export const operationSection = (
  document: ApiDocument,
  method: string,
  path: string,
  operation: OperationObject,
): Html =>
  html`<article class="operation" aria-labelledby="${operation.operationId}">
    <h3 id="${operation.operationId}">${operation.summary}</h3>
    <p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
    ${note(operation)} ${facts(operation)}
    <h4>Request</h4>
    ${parameters(document, operation)} ${body(document, operation)}
    <pre><code>${curlCommand(document, method, path, operation)}</code></pre>
    ${extendedBody(operation)}
    <h4>Answer</h4>
    ${answers(operation)}
  </article> `;
