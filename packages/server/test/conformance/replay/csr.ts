import { generateKeyPairSync, sign } from 'node:crypto';

/** Written by hand, in the few ASN.1 terms it needs, so that the service's own code does not test itself. */
const INTEGER_ZERO = Buffer.from([0x02, 0x01, 0x00]);
const NULL = Buffer.from([0x05, 0x00]);
const SEQUENCE = 0x30;
const SET = 0x31;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const BIT_STRING = 0x03;
const NO_ATTRIBUTES = Buffer.from([0xa0, 0x00]);
const SHA256_WITH_RSA = Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]);
const NAME_PARTS: Readonly<Record<string, Buffer>> = {
  CN: Buffer.from([0x55, 0x04, 0x03]),
  O: Buffer.from([0x55, 0x04, 0x0a]),
  OU: Buffer.from([0x55, 0x04, 0x0b]),
};

function element(tag: number, ...content: Buffer[]): Buffer {
  const value = Buffer.concat(content);
  if (value.length < 0x80) return Buffer.concat([Buffer.from([tag, value.length]), value]);
  const length = Buffer.from(value.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, value]);
}

function namePart(text: string): Buffer {
  const [type = '', value = ''] = text.split('=', 2);
  const identifier = NAME_PARTS[type];
  if (!identifier)
    throw new Error(`A subject may hold ${Object.keys(NAME_PARTS).join(', ')}; it holds "${text}".`);
  const pair = element(
    SEQUENCE,
    element(OBJECT_IDENTIFIER, identifier),
    element(UTF8_STRING, Buffer.from(value)),
  );
  return element(SET, pair);
}

/** A certificate request in PEM for a new RSA key; the subject is in openssl's notation (`/CN=admin/O=ops`). */
export function makeCsr(subject = '/CN=admin/O=system:masters'): string {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const name = element(SEQUENCE, ...subject.split('/').filter(Boolean).map(namePart));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const info = element(SEQUENCE, INTEGER_ZERO, name, key, NO_ATTRIBUTES);
  const algorithm = element(SEQUENCE, element(OBJECT_IDENTIFIER, SHA256_WITH_RSA), NULL);
  const signature = element(BIT_STRING, Buffer.from([0x00]), sign('sha256', info, privateKey));
  const base64 = element(SEQUENCE, info, algorithm, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----', ''].join(
    '\n',
  );
}
