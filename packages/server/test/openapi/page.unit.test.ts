import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { docsPage } from '../../src/openapi/page.ts';
import { shellQuoted } from '../../src/openapi/page/curl.ts';
import { escapeHtml, html } from '../../src/openapi/page/html.ts';
import { base, document, placed } from './support/document.ts';

const page = docsPage(document);

describe('the docs page', () => {
  it('tells every operation with its method, path, rule and first microversion', () => {
    for (const { method, path, operation } of placed) {
      const [, rest = ''] = page.split(`<h3 id="${operation.operationId}">`);
      const [section = ''] = rest.split('</article>');
      expect(section).toContain(escapeHtml(operation.summary));
      expect(section).toContain(`>${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code>`);
      expect(section).toContain(operation['x-policy-rule'] ?? 'Public: needs no token.');
      expect(section).toContain(operation['x-min-microversion'] ?? 'Public');
      expect(section).toContain(`${base}${path.split('{')[0]}`);
    }
  });

  it('tells every attribute of every schema, and every kind of refusal', () => {
    for (const { properties = {} } of Object.values(document.components.schemas)) {
      for (const name of Object.keys(properties)) expect(page).toContain(`<code>${name}</code>`);
    }
    for (const response of Object.values(document.components.responses)) {
      expect(page).toContain(`id="error-${response['x-status']}"`);
      for (const { kind } of response['x-faults']) expect(page).toContain(`<code>${kind}</code>`);
    }
  });

  it('fetches nothing and runs nothing', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|form|base)\b/i);
    expect(page).not.toMatch(/\son\w+=|javascript:|@import|url\(/i);
    const foreign = [...page.matchAll(/(?:href|src)="([^"#][^"]*)"/g)].map(([, address = '']) => address);
    expect(foreign).toEqual([`${base}/v1/openapi.json`]);
  });

  it('links only to places that are on it, each of which is there once', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/(?:href="#|aria-labelledby=")([^"]+)"/g)].map(([, id = '']) => id);
    expect(targets.length).toBeGreaterThan(100);
    for (const target of new Set(targets)) expect(ids).toContain(target);
  });

  it('has one main heading and skips no level below it', () => {
    const levels = [...page.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries())
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  });

  it('says of each heading of a table what it is the heading of', () => {
    const headings = [...page.matchAll(/<th\b[^>]*>/g)].map(([tag]) => tag);
    expect(headings.length).toBeGreaterThan(100);
    for (const tag of headings) expect(tag).toMatch(/scope="(row|col)"/);
    expect([...page.matchAll(/<table\b/g)]).toHaveLength([...page.matchAll(/<caption>/g)].length);
  });

  it('opens and closes every element', () => {
    const open: string[] = [];
    const unmatched: string[] = [];
    for (const [tag, end, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (name === 'meta') continue;
      if (end === '') open.push(name);
      else if (open.pop() !== name) unmatched.push(tag);
    }
    expect(unmatched).toEqual([]);
    expect(open).toEqual([]);
  });

  it('escapes whatever a document says', () => {
    const hostile = '<script>alert("x")</script>';
    const shown = docsPage({
      ...document,
      info: { ...document.info, title: hostile, summary: hostile, description: `${hostile} \`${hostile}\`` },
      servers: [{ url: `http://x/"><b>'${hostile}` }],
      tags: document.tags.map((tag) => ({ ...tag, description: hostile })),
    });
    expect(shown).not.toContain('<script');
    expect(shown).not.toContain('"><b>');
  });
});

describe('the templates of the page', () => {
  it('let no text become markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { source } = html`<p title="${text}">${text}</p>`;
        expect(source.match(/[<>]/g)).toEqual(['<', '>', '<', '>']);
        expect(source.match(/"/g)).toHaveLength(2);
      }),
    );
  });

  it('quote words so that a shell passes them on unchanged', () => {
    const words = ["it's", `{"a": "b c"}`, '$HOME `id` \\', 'two\nlines', "'''", ''];
    const command = `printf '%s\\0' ${words.map(shellQuoted).join(' ')}`;
    const passed = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(passed.split('\0').slice(0, -1)).toEqual(words);
  });
});
