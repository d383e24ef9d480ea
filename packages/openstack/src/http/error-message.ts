const LONGEST_MESSAGE = 500;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/**
 * Each family of services wraps its explanation in its own way; the shapes are told apart by their keys, because the
 * same service answers in two of them (its own, and that of the token middleware in front of it).
 */
function explanationIn(body: unknown): string | null {
  if (!isObject(body)) return null;
  // Octavia
  const fault = textOf(body['faultstring']);
  if (fault !== null) return fault;
  // Glance
  const message = textOf(body['message']);
  if (message !== null) return message;
  // Magnum, Placement
  const [first] = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : [];
  if (isObject(first)) return textOf(first['detail']) ?? textOf(first['title']);
  // Barbican
  const description = textOf(body['description']);
  if (description !== null) return description;
  // Keystone, Heat and the token middleware {error}, Neutron {NeutronError}, Nova and Cinder {badRequest}, …
  for (const wrapped of Object.values(body)) {
    const inner = isObject(wrapped) ? textOf(wrapped['message']) : null;
    if (inner !== null) return inner;
  }
  return null;
}

/** Markup and control characters have no place in a sentence that ends up in a status reason or a log line. */
function asOneLine(text: string): string {
  const plain = text
    .replaceAll(/<[^<>]{0,200}>/g, ' ')
    // oxlint-disable-next-line no-control-regex -- control characters are what is being removed
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return plain.length > LONGEST_MESSAGE ? `${plain.slice(0, LONGEST_MESSAGE)}…` : plain;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (masked, secret) => (secret === '' ? masked : masked.replaceAll(secret, '***')),
    text,
  );
}

/** What a service said about a refusal, fit for people: one line, bounded, free of the secrets that were sent. */
export function errorMessage(
  service: string,
  status: number,
  body: unknown,
  secrets: readonly string[] = [],
): string {
  const explanation = explanationIn(body);
  if (explanation === null) return `The ${service} service answered ${status} without an explanation.`;
  // Masked before it is cut: a secret that is cut in half would no longer be recognised.
  return asOneLine(withoutSecrets(explanation, secrets));
}
