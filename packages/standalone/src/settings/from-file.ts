import { readFileSync } from 'node:fs';

import type { LineCounter, YAMLMap } from 'yaml';

import type { Source } from './given.ts';
import { didYouMean } from './nearest.ts';
import { settingNames } from './schema.ts';
import { keyOf } from './setting.ts';

/** Reads a YAML file of `key: value`. The parser is loaded only here: most starts have no file. */
export async function fromFile(file: string, from: string): Promise<Source> {
  let written: string;
  try {
    written = readFileSync(file, 'utf8');
  } catch (error) {
    return failed(`${from}: the file ${file} cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
  const { LineCounter, isMap, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(written, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    return failed(`${file}, line ${line}: not valid YAML: ${error.message.split('\n')[0]}`);
  }
  if (document.contents === null) return { given: {}, problems: [] };
  if (!isMap(document.contents)) return failed(`${file}: must hold "key: value" lines, one for each setting`);
  return fromMap(file, document.contents, lines);
}

function fromMap(file: string, map: YAMLMap, lines: LineCounter): Source {
  const source: Source = { given: {}, problems: [] };
  const values = map.toJSON() as Record<string, unknown>;
  for (const pair of map.items) {
    const node = pair.key as { value?: unknown; range?: [number, number, number] | null };
    const key = String(node.value);
    const place = `${file}, line ${lines.linePos(node.range?.[0] ?? 0).line}`;
    const name = settingNames.find((candidate) => keyOf(candidate) === key);
    if (name === undefined || name === 'config') {
      const known = settingNames.filter((candidate) => candidate !== 'config').map(keyOf);
      source.problems.push(`${key} in ${place} is not a setting: ${didYouMean(key, known)}`);
    } else if (values[key] !== null) {
      source.given[name] = { value: values[key], from: `${key} in ${place}` };
    }
  }
  return source;
}

const failed = (problem: string): Source => ({ given: {}, problems: [problem] });
