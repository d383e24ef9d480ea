/** Where an answer of the sandbox is not what the real service sent. */
export interface Difference {
  kind: 'status' | 'header' | 'missing' | 'extra' | 'type' | 'value';
  path: string;
  recorded: unknown;
  answered: unknown;
}

/** Values that placeholders of the recordings turned out to stand for. */
export type Bindings = Map<string, string>;

/** Compares two JSON values: keys, types and values. Placeholders that are not bound yet are bound on the way. */
export function compareBodies(
  recorded: unknown,
  answered: unknown,
  bindings: Bindings,
  path = 'body',
): Difference[] {
  const differ = (kind: Difference['kind']): Difference[] => [{ kind, path, recorded, answered }];
  if (recorded === '${number}') return typeof answered === 'number' ? [] : differ('type');
  if (typeOf(recorded) !== typeOf(answered)) return differ('type');
  if (Array.isArray(recorded) && Array.isArray(answered))
    return compareLists(recorded, answered, bindings, path);
  if (isRecord(recorded) && isRecord(answered)) return compareObjects(recorded, answered, bindings, path);
  if (typeof recorded === 'string' && typeof answered === 'string') {
    return sameText(recorded, answered, bindings) ? [] : differ('value');
  }
  return recorded === answered ? [] : differ('value');
}

/** Headers that clients read; the names are those that were recorded. */
export function compareHeaders(
  recorded: Readonly<Record<string, string>>,
  answered: Headers,
  bindings: Bindings,
): Difference[] {
  return Object.entries(recorded).flatMap(([name, value]) => {
    const actual = answered.get(name);
    // Only the media type: how a character set is spelled is the framework's habit.
    const [want, got] = name === 'content-type' ? [mediaType(value), mediaType(actual)] : [value, actual];
    if (got !== undefined && got !== null && sameText(want, got, bindings)) return [];
    return [{ kind: 'header', path: name, recorded: want, answered: got } satisfies Difference];
  });
}

export function fillIn(text: string, bindings: Bindings): string {
  return text.replaceAll(/\$\{([\w.]+)\}/g, (whole, name: string) => bindings.get(name) ?? whole);
}

function compareObjects(
  recorded: Record<string, unknown>,
  answered: Record<string, unknown>,
  bindings: Bindings,
  path: string,
): Difference[] {
  const keys = new Set([...Object.keys(recorded), ...Object.keys(answered)]);
  return [...keys].flatMap((key): Difference[] => {
    const place = `${path}.${key}`;
    if (!Object.hasOwn(answered, key)) {
      return [{ kind: 'missing', path: place, recorded: recorded[key], answered: undefined }];
    }
    if (!Object.hasOwn(recorded, key)) {
      return [{ kind: 'extra', path: place, recorded: undefined, answered: answered[key] }];
    }
    return compareBodies(recorded[key], answered[key], bindings, place);
  });
}

/** Items belong together by what names them, and by their place where nothing does. */
function compareLists(
  recorded: readonly unknown[],
  answered: readonly unknown[],
  bindings: Bindings,
  path: string,
): Difference[] {
  const left = new Set(answered);
  const differences = recorded.flatMap((item, at): Difference[] => {
    if (item === MORE) return [];
    const label = labelOf(item);
    const place = `${path}[${label ?? (typeof item === 'string' ? item : at)}]`;
    const partner = answered.find(
      (other) => left.has(other) && (label === undefined || labelOf(other) === label),
    );
    if (partner === undefined) return [{ kind: 'missing', path: place, recorded: item, answered: undefined }];
    left.delete(partner);
    return compareBodies(item, partner, bindings, place);
  });
  if (recorded.includes(MORE)) return differences;
  const extra = [...left].map((item, at): Difference => {
    const place = `${path}[${labelOf(item) ?? recorded.length + at}]`;
    return { kind: 'extra', path: place, recorded: undefined, answered: item };
  });
  return [...differences, ...extra];
}

/** At the end of a recorded list: the rest was cut off, and what else is answered is not compared. */
const MORE = '${more}';

const LABELS = ['alias', 'name', 'type', 'interface', 'rel', 'zoneName'];

function labelOf(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const key = LABELS.find((name) => typeof item[name] === 'string');
  return key === undefined ? undefined : `${key}=${String(item[key])}`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Times are the same when they are written the same way; a lone placeholder takes whatever comes first. */
function sameText(recorded: string, answered: string, bindings: Bindings): boolean {
  if (recorded === '${any}') return true;
  const [, name] = /^\$\{(\w+)\}$/.exec(recorded) ?? [];
  if (name !== undefined && !bindings.has(name)) bindings.set(name, answered);
  const wanted = fillIn(recorded, bindings);
  if (TIME.test(wanted)) return wanted.replaceAll(/\d/g, '0') === answered.replaceAll(/\d/g, '0');
  return wanted === answered;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mediaType(value: string | null): string {
  return value?.split(';', 1)[0]?.trim() ?? '';
}
