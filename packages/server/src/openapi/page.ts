import { Html, html, nothing } from './page/html.ts';
import { operationSection, requestAttributes } from './page/operation.ts';
import { inline, prose } from './page/prose.ts';
import { style } from './page/style.ts';
import { answerTable, table } from './page/tables.ts';
import type { ApiDocument, OperationObject, Schema } from './types.ts';

interface Placed {
  method: string;
  path: string;
  operation: OperationObject;
}

const operationsOf = (document: ApiDocument, tag: string): Placed[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.tags[0] === tag)
      .map(([method, operation]) => ({ method, path, operation })),
  );

const link = (id: string, text: string): Html => html`<a href="#${id}">${text}</a>`;

const contents = (document: ApiDocument): Html => {
  const tags = document.tags.map(({ name }) => {
    const operations = operationsOf(document, name).map(
      ({ operation }) => html`<li>${link(operation.operationId, operation.summary)}</li>`,
    );
    return html`<li>
      ${link(`tag-${name}`, name)}
      <ul>
        ${operations}
      </ul>
    </li> `;
  });
  return html`<nav aria-labelledby="contents">
    <p id="contents">Contents</p>
    <ul>
      ${tags}
      <li>${link('schemas', 'schemas')}</li>
      <li>${link('errors', 'errors')}</li>
    </ul>
  </nav> `;
};

const tagSection = (
  document: ApiDocument,
  { name, description }: { name: string; description: string },
): Html =>
  html`<h2 id="tag-${name}">${name}</h2>
    ${prose(description)}
    ${operationsOf(document, name).map(({ method, path, operation }) => operationSection(document, method, path, operation))}`;

/** What operations answer and refer to; request bodies stand with their operations. */
function schemas(document: ApiDocument): Html {
  const inRequests = new Set<Schema | null>(
    document.tags
      .flatMap(({ name }) => operationsOf(document, name))
      .map(({ operation }) => requestAttributes(document, operation)),
  );
  const shown = Object.entries(document.components.schemas).filter(([, schema]) => !inRequests.has(schema));
  return html`<h2 id="schemas">schemas</h2>
    <p>
      What answers and the inner parts of requests are made of. Any attribute may be null where nothing is
      known of it. Under Change stands what a later change of an attribute does: nothing to the nodes that run
      (free), replace them (rolls nodes), or that it cannot be (never).
    </p>
    ${shown.map(([name, schema]) => schemaSection(name, schema))}`;
}

const schemaSection = (name: string, schema: Schema): Html => {
  const items = schema.items?.$ref;
  const list =
    items === undefined
      ? nothing
      : html`<p>A list of ${link(`schema-${items.split('/').at(-1)}`, items.split('/').at(-1) ?? '')}.</p>`;
  return html`<h3 id="schema-${name}">${name}</h3>
    ${schema.description === undefined ? nothing : html`<p>${inline(schema.description)}</p>`}${list}${schema.properties === undefined ? nothing : answerTable(name, schema)}`;
};

function errors(document: ApiDocument): Html {
  const responses = Object.values(document.components.responses);
  const rows = responses.flatMap((response) =>
    response['x-faults'].map(({ kind, meaning }, index) => [
      index === 0
        ? html`<span id="error-${response['x-status']}">${response['x-status']}</span>`
        : html`${response['x-status']}`,
      html`<code>${kind}</code>`,
      inline(meaning),
    ]),
  );
  const example = responses[0]?.content?.['application/json']?.example;
  return html`<h2 id="errors">errors</h2>
    <p>
      Every refusal says in <code>detail</code> what is wrong; the header
      <code>X-OpenStack-Request-Id</code> names the request in the logs.
    </p>
    ${table('Every refusal there is', ['Status', 'Name', 'Meaning'], rows)}
    <pre><code>${JSON.stringify(example, null, 2)}</code></pre>`;
}

/** The document as one page for people: no scripts, and nothing that is fetched from elsewhere. */
export function docsPage(document: ApiDocument): string {
  const { title, version, summary, description } = document.info;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} ${version}: API</title>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        <a class="skip" href="#main">Skip the contents</a>
        ${contents(document)}
        <main id="main">
          <h1>${title} API</h1>
          <p class="lead">${summary} Version ${version}.</p>
          ${prose(description)}
          <p>The examples below take the token from the environment:</p>
          <pre><code>export OS_TOKEN=$(openstack token issue -f value -c id)</code></pre>
          <p>
            The same for machines:
            <a href="${document.servers[0]?.url ?? ''}/v1/openapi.json">openapi.json</a>.
          </p>
          ${document.tags.map((tag) => tagSection(document, tag))} ${schemas(document)} ${errors(document)}
        </main>
      </body>
    </html> `;
  return page.source;
}
