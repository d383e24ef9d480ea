import { Html, escapeHtml, html } from './html.ts';

/** A line with `code` and **bold** in it; these are all the marks our descriptions use. */
export const inline = (text: string): Html =>
  new Html(
    escapeHtml(text)
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  );

/** Paragraphs separated by empty lines, and lists of lines that start with a dash. */
export const prose = (text: string): Html[] =>
  text.split('\n\n').map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${inline(block)}</p>`;
    return html`<ul>
      ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
    </ul>`;
  });
