/** A Markdown table; all columns after the first hold numbers or short words and stand to the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = heads.map((_head, index) => (index === 0 ? '---' : '---:'));
  return [line(heads), line(rule), ...rows.map(line)].join('\n');
}

/** Three digits that mean something, whatever the size of the number. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

export const ratio = (value: number): string => (Number.isFinite(value) ? `${number(value)} ×` : '–');
