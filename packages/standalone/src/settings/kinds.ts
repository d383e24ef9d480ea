// The kinds of values that a setting can have. Flags and variables bring text, a YAML file may bring numbers,
// booleans and lists; each kind takes all of them and says in half a sentence what it wanted instead.

export interface Kind<T> {
  /** What stands for the value in the help: `--port NUMBER`. */
  placeholder: string;
  /** Throws a `Mismatch` where the value is not of this kind. */
  parse(given: unknown): T;
  /** How a value of this kind is written, for the help. */
  show(value: T): string;
}

/** Continues a sentence that begins with the setting and its value: "… is not a port: give …". */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

const asText = (given: unknown, wanted: string): string => {
  if (typeof given === 'string') return given.trim();
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  throw new Mismatch(`is not ${wanted}`);
};

export const text: Kind<string> = {
  placeholder: 'TEXT',
  parse(given) {
    const value = asText(given, 'a text');
    if (value === '') throw new Mismatch('is empty: give a text');
    if (value.includes('\0')) throw new Mismatch('holds a NUL character');
    return value;
  },
  show: (value) => value,
};

export const file: Kind<string> = { ...text, placeholder: 'FILE' };
export const directory: Kind<string> = { ...text, placeholder: 'DIR' };

export function integer(range: { least: number; most: number; noun?: string }): Kind<number> {
  const { least, most, noun = 'a whole number' } = range;
  return {
    placeholder: 'NUMBER',
    parse(given) {
      const value = asText(given, noun);
      const number = /^[+-]?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (Number.isNaN(number) || number < least || number > most) {
        throw new Mismatch(`is not ${noun} from ${least} to ${most}`);
      }
      return number;
    },
    show: String,
  };
}

/** 0 stands for "any that is free". */
export const port: Kind<number> = integer({ least: 0, most: 65_535, noun: 'a port, a whole number' });

export const yesOrNo: Kind<boolean> = {
  placeholder: 'true|false',
  parse(given) {
    const value = asText(given, 'true or false').toLowerCase();
    if (['true', 'yes', 'on', '1'].includes(value)) return true;
    if (['false', 'no', 'off', '0'].includes(value)) return false;
    throw new Mismatch('is neither true nor false');
  },
  show: String,
};

export function choice<const C extends string>(choices: readonly C[]): Kind<C> {
  return {
    placeholder: choices.join('|'),
    parse(given) {
      const value = asText(given, `one of ${choices.join(', ')}`);
      const found = choices.find((one) => one === value);
      if (found === undefined) throw new Mismatch(`is not one of ${choices.join(', ')}`);
      return found;
    },
    show: (value) => value,
  };
}

/** Several values: a list in YAML, separated by commas elsewhere. */
export function listOf<T>(each: Kind<T>): Kind<readonly T[]> {
  return {
    placeholder: 'A,B,…',
    parse(given) {
      const parts: unknown[] = Array.isArray(given) ? given : asText(given, 'a list').split(',');
      const wanted = parts.filter((part) => part !== '');
      return wanted.map((part) => {
        try {
          return each.parse(part);
        } catch (error) {
          if (!(error instanceof Mismatch)) throw error;
          throw new Mismatch(`holds ${JSON.stringify(part)}, which ${error.message}`);
        }
      });
    },
    show: (values) => values.map((value) => each.show(value)).join(','),
  };
}

export function url(protocols: readonly string[]): Kind<string> {
  const wanted = `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return {
    placeholder: 'URL',
    parse(given) {
      const value = asText(given, wanted);
      const parsed = URL.canParse(value) ? new URL(value) : undefined;
      if (parsed === undefined || !protocols.includes(parsed.protocol))
        throw new Mismatch(`is not ${wanted}`);
      if (protocols.includes('http:') && parsed.hostname === '') throw new Mismatch('names no host');
      return value.replace(/\/+$/, '');
    },
    show: (value) => value,
  };
}
