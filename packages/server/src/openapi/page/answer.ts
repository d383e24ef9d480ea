import type { MediaType, OperationObject, Reference, Response, Schema } from '../types.ts';
import { html, nothing, type Html } from './html.ts';
import { inline } from './prose.ts';
import { schemaWords } from './schema-words.ts';

/** Longer examples are folded, so that the next operation is not far. */
const openLines = 14;

const isReference = (response: Response | Reference): response is Reference => '$ref' in response;

/** What is answered, where it has a name: a resource, or a list of them under its key. */
function named(schema: Schema): Schema | null {
  if (schema.$ref !== undefined || schema.anyOf !== undefined) return schema;
  const lists = Object.values(schema.properties ?? {}).filter(({ items }) => items?.$ref !== undefined);
  return lists.length === 1 ? (lists[0] ?? null) : null;
}

function example(status: string, type: string, media: MediaType): Html {
  const text = typeof media.example === 'string' ? media.example : JSON.stringify(media.example, null, 2);
  const folded = text.split('\n').length > openLines;
  return html`<details ${folded ? '' : 'open'}>
    <summary>Example answer ${status} <span class="type">${type}</span></summary>
    <pre><code>${text}</code></pre>
  </details>`;
}

/** What the body is, for each media type that says something else. */
function bodies(content: readonly [string, MediaType][]): Html[] {
  return content.flatMap(([type, media], index) => {
    const schema = named(media.schema);
    if (schema === null) return [];
    return index === 0
      ? [html` Body: ${schemaWords(schema)}.`]
      : [html` As <code>${type}</code>: ${schemaWords(schema)}.`];
  });
}

function answer(status: string, response: Response): Html {
  const content = Object.entries(response.content ?? {});
  const shown = content.filter(([, media]) => media.example !== undefined);
  return html`<p><span class="status">${status}</span> ${inline(response.description)}${bodies(content)}</p>
    ${shown.map(([type, media]) => example(status, type, media))}`;
}

/** What an operation answers: its own answers in full, the refusals it shares with others as links. */
export function answers({ responses }: OperationObject): Html {
  const own = Object.entries(responses).map(([status, response]) =>
    isReference(response) ? nothing : answer(status, response),
  );
  const refusals = Object.entries(responses)
    .filter(([, response]) => isReference(response))
    .map(([status]) => html`<li><a href="#error-${status}">${status}</a></li> `);
  if (refusals.length === 0) return html`${own}`;
  return html`${own}
    <div class="refusals">
      <span>Refusals</span>
      <ul>
        ${refusals}
      </ul>
    </div>`;
}
