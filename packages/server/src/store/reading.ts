import { types as defaultTypes, type CustomTypesConfig } from 'pg';

/**
 * PostgreSQL's text of a timestamp in UTC, as the API shows it: ISO 8601 with microseconds and an offset. PostgreSQL
 * drops the zeros at the end of a fraction; clients in Python read six digits or none. In JSON the text is almost that.
 */
export const isoTimestamp = (text: string): string => {
  const time = text.slice(11, text.indexOf('+', 11));
  return `${text.slice(0, 10)}T${time.length > 8 ? time.padEnd(15, '0') : time}+00:00`;
};

/** Texts of jsonb that recur, such as the labels of all clusters of one template, are parsed once. */
const parsedJson = new Map<string, unknown>();
const rememberedTexts = 2_000;
const rememberedLength = 1_000;

function parseJson(text: string): unknown {
  if (text.length > rememberedLength) return JSON.parse(text);
  let value = parsedJson.get(text);
  if (value === undefined) {
    value = deepFreeze(JSON.parse(text));
    if (parsedJson.size >= rememberedTexts) parsedJson.clear();
    parsedJson.set(text, value);
  }
  return value;
}

/** What several rows share must not be changed by the reader of one. */
function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}

/** Everything is read as the driver reads it, but for timestamps and documents. */
export const types: CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === defaultTypes.builtins.TIMESTAMPTZ && format !== 'binary') return isoTimestamp;
    if (oid === defaultTypes.builtins.JSONB && format !== 'binary') return parseJson;
    return defaultTypes.getTypeParser(oid, format);
  },
};
