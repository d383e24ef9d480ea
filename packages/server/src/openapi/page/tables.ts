import type { Parameter, Schema } from '../types.ts';
import { html, nothing, type Html } from './html.ts';
import { inline } from './prose.ts';
import { schemaWords } from './schema-words.ts';

/**
 * A table whose first column names the row. On narrow screens the rows become blocks with the column's name
 * before each cell; the roles keep it a table for those who listen to it.
 */
export function table(caption: string, columns: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const head = columns.map((name) => html`<th scope="col" role="columnheader">${name}</th>`);
  const body = rows.map(([first = nothing, ...cells]) => {
    const shown = cells.map(
      (cell, index) => html`<td role="cell" data-label="${columns[index + 1] ?? ''}">${cell}</td>`,
    );
    return html`<tr role="row">
      <th scope="row" role="rowheader">${first}</th>
      ${shown}
    </tr> `;
  });
  return html`<table role="table">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${head}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${body}
    </tbody>
  </table> `;
}

/** What a name carries beside it. */
const named = (name: string, marks: { required?: boolean; extension?: boolean }): Html =>
  html`<code>${name}</code>${
      marks.required === true ? html` <span class="required">required</span>` : nothing
    }${marks.extension === true ? html` <span class="extension">extension</span>` : nothing}`;

const absent = html`<span class="none">none</span>`;

/** A value that holds unless something else says otherwise stands for itself, one that a source may change says so. */
function defaultOf({ default: value, 'x-default': fallback }: Schema): Html {
  if (value !== undefined && value !== null) return html`<code>${JSON.stringify(value)}</code>`;
  return fallback === undefined ? absent : html`<code>${JSON.stringify(fallback)}</code> or as the source`;
}

const mutabilityWords: Readonly<Record<string, string>> = {
  free: 'free',
  rolls: 'rolls nodes',
  immutable: 'never',
};

interface Column {
  name: string;
  cell: (schema: Schema) => Html;
}

const typeColumn: Column = { name: 'Type', cell: schemaWords };
const defaultColumn: Column = { name: 'Default', cell: defaultOf };
const descriptionColumn: Column = {
  name: 'Description',
  cell: ({ description = '', 'x-instead': instead }) =>
    html`${inline(description)}${instead === undefined ? nothing : html` <span class="instead">Instead of a change: ${inline(instead)}</span>`}`,
};

const changeColumn: Column = {
  name: 'Change',
  cell: ({ 'x-mutability': mutability }) =>
    mutability === undefined
      ? html`<span class="none">–</span>`
      : html`<span class="change ${mutability}">${mutabilityWords[mutability] ?? mutability}</span>`,
};

/** Where a later change of an attribute means something, it is told what. */
const changes = (properties: Readonly<Record<string, Schema>>): Column[] =>
  Object.values(properties).some(({ 'x-mutability': mutability }) => mutability !== undefined)
    ? [changeColumn]
    : [];

const attributeTable = (
  caption: string,
  { properties = {}, required = [] }: Schema,
  columns: readonly Column[],
): Html =>
  table(
    caption,
    ['Name', ...columns.map(({ name }) => name)],
    Object.entries(properties).map(([name, schema]) => [
      named(name, { required: required.includes(name), extension: schema['x-extension'] }),
      ...columns.map(({ cell }) => cell(schema)),
    ]),
  );

export const parameterTable = (parameters: readonly Parameter[]): Html =>
  table(
    'Parameters',
    ['Name', 'In', 'Type', 'Description'],
    parameters.map((parameter) => {
      const since = parameter['x-min-microversion'];
      return [
        named(parameter.name, { required: parameter.required, extension: parameter['x-extension'] }),
        html`${parameter.in}`,
        schemaWords(parameter.schema),
        html`${inline(parameter.description)}${since === undefined ? '' : ` From ${since} on.`}`,
      ];
    }),
  );

/** The attributes of a request. */
export const requestTable = (schema: Schema): Html =>
  attributeTable('Attributes of the request', schema, [
    typeColumn,
    defaultColumn,
    ...changes(schema.properties ?? {}),
    descriptionColumn,
  ]);

/** The attributes of something that is answered, where none is required of anyone. */
export const answerTable = (name: string, schema: Schema): Html =>
  attributeTable(`Attributes of ${name}`, { ...schema, required: [] }, [
    typeColumn,
    ...changes(schema.properties ?? {}),
    descriptionColumn,
  ]);
