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

const named = (name: string, required: boolean): Html =>
  html`<code>${name}</code>${required ? html` <span class="required">required</span>` : nothing}`;

const absent = html`<span class="none">none</span>`;

const defaultOf = ({ default: value }: Schema): Html =>
  value === undefined || value === null ? absent : html`<code>${JSON.stringify(value)}</code>`;

export const parameterTable = (parameters: readonly Parameter[]): Html =>
  table(
    'Parameters',
    ['Name', 'In', 'Type', 'Description'],
    parameters.map((parameter) => {
      const since = parameter['x-min-microversion'];
      return [
        named(parameter.name, parameter.required === true),
        html`${parameter.in}`,
        schemaWords(parameter.schema),
        html`${inline(parameter.description)}${since === undefined ? '' : ` From ${since} on.`}`,
      ];
    }),
  );

/** The attributes of a request. */
export const requestTable = ({ properties = {}, required = [] }: Schema): Html =>
  table(
    'Attributes of the request',
    ['Name', 'Type', 'Default', 'Description'],
    Object.entries(properties).map(([name, schema]) => [
      named(name, required.includes(name)),
      schemaWords(schema),
      defaultOf(schema),
      inline(schema.description ?? ''),
    ]),
  );

/** The attributes of something that is answered. */
export const answerTable = (name: string, { properties = {} }: Schema): Html =>
  table(
    `Attributes of ${name}`,
    ['Name', 'Type', 'Description'],
    Object.entries(properties).map(([attribute, schema]) => [
      named(attribute, false),
      schemaWords(schema),
      inline(schema.description ?? ''),
    ]),
  );
