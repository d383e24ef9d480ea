import type { ApiDocument } from './document.ts';

/** The document as one page for people. */
export function docsPage(document: ApiDocument): string {
  const paths = Object.keys(document.paths).map((path) => `<li><code>${path}</code></li>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${document.info.title}</title></head><body><ul>${paths.join('')}</ul></body></html>`;
}
