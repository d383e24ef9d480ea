/** PEM with 64-character lines and no line break at the end, as Magnum answers it. */
export function encodePem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n');
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The bytes of the first block with one of the labels, or undefined. Text around the block is ignored, because tools
 * print a readable form of a request above it.
 */
export function decodePem(text: string, labels: readonly string[]): Buffer | undefined {
  for (const label of labels) {
    const begin = `-----BEGIN ${label}-----`;
    const start = text.indexOf(begin);
    if (start < 0) continue;
    const bodyStart = start + begin.length;
    const end = text.indexOf(`-----END ${label}-----`, bodyStart);
    if (end < 0) return undefined;
    const body = text.slice(bodyStart, end).replaceAll(/\s+/g, '');
    return BASE64.test(body) ? Buffer.from(body, 'base64') : undefined;
  }
  return undefined;
}
