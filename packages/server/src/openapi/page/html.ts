/** Text that is HTML already. Only `html` makes it, so whatever else reaches a page is escaped on the way. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Insertable = Html | string | number | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

function inserted(value: Insertable): string {
  if (value instanceof Html) return value.source;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(({ source }) => source).join('');
}

/** A template whose insertions are escaped unless they are HTML themselves. */
export const html = (parts: TemplateStringsArray, ...values: Insertable[]): Html =>
  new Html(
    parts.map((part, index) => (index === 0 ? part : inserted(values[index - 1] ?? '') + part)).join(''),
  );

export const nothing = new Html('');
