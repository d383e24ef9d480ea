/** Fields that every line has, or that are shown in their own way. */
const shownElsewhere = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'v']);

const levelNames: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** One JSON line as a person reads it: time, level, message, then the rest as key=value. */
export function prettyLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const time = new Date(Number(entry.time)).toISOString().slice(11, 23);
  const level = (levelNames[Number(entry.level)] ?? String(entry.level)).padEnd(5);
  const fields = Object.entries(entry)
    .filter(([key]) => !shownElsewhere.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`);
  return `${[time, level, typeof entry.msg === 'string' ? entry.msg : '', ...fields].join(' ')}\n${stackOf(entry.err)}`;
}

/** Line breaks and other control characters stay visible: a message must not forge a second line. */
function quoted(value: string): string {
  return /^[\w./:@%+-]+$/.test(value) ? value : JSON.stringify(value);
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { stack, message } = error as { stack?: unknown; message?: unknown };
  const text = typeof stack === 'string' ? stack : typeof message === 'string' ? message : '';
  return text === '' ? '' : `    ${text.replaceAll('\n', '\n    ')}\n`;
}
