import { generateKeyPairSync } from 'node:crypto';

import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { OID } from '../../src/certificates/der/object-identifiers.ts';
import { TAG } from '../../src/certificates/der/tags.ts';
import {
  element,
  nullValue,
  objectIdentifier,
  octetBits,
  sequence,
  unsignedInteger,
} from '../../src/certificates/der/writer.ts';
import { basicConstraints, keyUsage, subjectKeyIdentifier } from '../../src/certificates/extension.ts';
import { EXTENSION_OIDS } from '../../src/certificates/extension-rules.ts';
import {
  CertificateRequestError,
  generateClusterCertificates,
  KEY_USAGE_NAMES,
  signCsr,
} from '../../src/certificates/index.ts';
import type { CertificateKeyPair, ExtensionName, SigningRules } from '../../src/certificates/index.ts';
import { chainVerifies } from './support/openssl.ts';
import { buildRequest, csrPem, derOf, extensionRequest, fixture } from './support/requests.ts';

const now = new Date('2026-11-15T18:50:05Z');
let ca: CertificateKeyPair;
beforeAll(async () => {
  ca = (await generateClusterCertificates({ clusterName: 'c-a', now })).authorities.kubernetes;
});

async function refusal(pem: string, rules?: SigningRules): Promise<string> {
  const error: unknown = await signCsr({ csrPem: pem, ca, now, rules }).catch((caught: unknown) => caught);
  if (!(error instanceof CertificateRequestError))
    throw new Error('this request must be refused as the fault of its sender', { cause: error });
  return error.message;
}

/** A certificate or a refusal that REST answers with 400. Anything else would be a 500 and is thrown on. */
async function outcome(pem: string, rules?: SigningRules): Promise<'signed' | 'refused'> {
  try {
    await signCsr({ csrPem: pem, ca, now, rules });
    return 'signed';
  } catch (error) {
    if (error instanceof CertificateRequestError) return 'refused';
    throw error;
  }
}

describe('what is no request at all is answered in the words of Magnum', () => {
  test.each([
    ['garbage', "Received invalid csr b'garbage'."],
    [
      '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n',
      String.raw`Received invalid csr b'-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'.`,
    ],
    [
      '-----BEGIN CERTIFICATE REQUEST-----\nAAAA',
      String.raw`Received invalid csr b'-----BEGIN CERTIFICATE REQUEST-----\nAAAA'.`,
    ],
    ['', "Received invalid csr b''."],
  ])('%j', async (pem, message) => {
    expect(await refusal(pem)).toBe(message);
  });

  test('a certificate in place of a request is none', async () => {
    expect(await refusal(fixture('magnum-authority.pem'))).toMatch(
      /^Received invalid csr b'-----BEGIN CERTIFICATE-----/,
    );
  });

  test('a long one is quoted in part', async () => {
    expect(await refusal('x y '.repeat(15_000))).toBe(
      `Received invalid csr b'${'x y '.repeat(256)}'... (60000 bytes).`,
    );
  });

  test('encoded data is shortened, because it may be a key by mistake', async () => {
    const pem =
      '-----BEGIN SOMETHING-----\nMC4CAQAwBQYDK2VwBCIEIGJhZCBsdWNrIHdoZW4gdGhpcyBpcyBzaG93bg==\n-----END SOMETHING-----\n';
    expect(await refusal(pem)).toBe(
      String.raw`Received invalid csr b'-----BEGIN SOMETHING-----\nMC4CAQAw...\n-----END SOMETHING-----\n'.`,
    );
  });

  test.each([
    ['another version', () => buildRequest({ version: 1 })],
    ['a subject that is no name', () => buildRequest({ subject: nullValue() })],
    [
      'a part of the subject without a value',
      () => buildRequest({ subject: sequence(element(TAG.set, sequence(objectIdentifier(OID.commonName)))) }),
    ],
    [
      'a point that is not on its curve',
      () => buildRequest({ publicKeyInfo: ecInfo(Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)])) }),
    ],
    ['data behind the request', () => csrPem(Buffer.concat([derOf(buildRequest()), Buffer.from([0])]))],
    ['an attribute that is no attribute', () => buildRequest({ attributes: [nullValue()] })],
  ])('%s', async (_name, make) => {
    expect(await refusal(make())).toMatch(/^Received invalid csr b'/);
  });
});

describe('requests that Magnum fails on, or should refuse, are refused with a reason that names the field', () => {
  test.each([
    ['dsa.csr', 'is of a type that is not supported'],
    ['ed448.csr', 'is of a type that is not supported'],
    ['secp256k1.csr', 'is on a curve that is not supported'],
    ['curve-spelled-out.csr', 'is on a curve that is not supported'],
    ['rsa512.csr', 'has 512 bits'],
    ['md5.csr', 'is signed with an algorithm that is not supported'],
  ])('%s', async (name, reason) => {
    const message = await refusal(fixture(`refused/${name}`));
    expect(message).toContain(reason);
    expect(message).toContain('the field csr');
  });

  test('an RSA key of more than 16384 bits', async () => {
    expect(await refusal(buildRequest({ publicKeyInfo: rsaInfo(16_392) }))).toBe(
      'The RSA key in the field csr has 16392 bits. Sizes from 1024 to 16384 are supported.',
    );
  });

  test('more than 64 KiB', async () => {
    const pem = fixture('admin-p384.csr') + ' '.repeat(65_536);
    expect(await refusal(pem)).toMatch(
      /^The field csr is too large: \d+ bytes, at most 65536 are accepted\.$/,
    );
  });

  test('a private key beside the request, which would come back in the answer', async () => {
    expect(await refusal(`${fixture('admin-p384.csr')}-----BEGIN EC PRIVATE KEY-----`)).toBe(
      'The field csr holds a private key. Send the certificate request alone, and consider that key exposed.',
    );
  });

  test('a signature by another key than the one to be certified', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect(await refusal(buildRequest({ signingKey: stranger }))).toBe(
      'The signature of the request in the field csr does not match its public key.',
    );
  });

  test('a signature of another kind than the key', async () => {
    expect(await refusal(buildRequest({ publicKeyInfo: rsaInfo(2048) }))).toContain(
      'does not match its public key',
    );
  });

  test('the same extension twice', async () => {
    const twice = [keyUsage(['Digital Signature'], false), keyUsage(['Key Encipherment'], false)];
    expect(await refusal(buildRequest({ extensions: twice }))).toBe(
      'The field csr asks for the same extension more than once.',
    );
  });

  test('two lists of extensions', async () => {
    const list = extensionRequest([keyUsage(['Digital Signature'], false)]);
    expect(await refusal(buildRequest({ attributes: [list, list] }))).toContain(
      'asks for extensions more than once',
    );
  });

  test('an extension that is critical and not granted', async () => {
    expect(await refusal(buildRequest({ extensions: [basicConstraints({ ca: true }, true)] }))).toContain(
      "Extension 'basicConstraints' not allowed",
    );
  });

  test('a subject with text that no certificate can hold', async () => {
    const broken = element(
      TAG.set,
      sequence(objectIdentifier(OID.commonName), element(TAG.utf8String, Buffer.from([0xff, 0xfe]))),
    );
    expect(await refusal(buildRequest({ subject: sequence(broken) }))).toContain(
      'The field csr holds a subject that cannot be written',
    );
  });
});

describe('requests that Magnum fails on and that are fine', () => {
  test('one that brings a key identifier gets the right one instead', async () => {
    const pem = await signCsr({
      csrPem: buildRequest({ extensions: [subjectKeyIdentifier(Buffer.alloc(20, 1))] }),
      ca,
      now,
    });
    expect(chainVerifies(pem, ca.certificatePem)).toBe(true);
    expect(derOf(pem).includes(Buffer.alloc(20, 1))).toBe(false);
  });

  test('extensions under the number that Microsoft uses, and foreign attributes beside them', async () => {
    const list = extensionRequest([keyUsage(['Digital Signature'], true)], OID.microsoftExtensionRequest);
    const password = sequence(
      objectIdentifier('1.2.840.113549.1.9.7'),
      element(TAG.set, element(TAG.utf8String, Buffer.from('hush'))),
    );
    expect(
      chainVerifies(
        await signCsr({ csrPem: buildRequest({ attributes: [password, list] }), ca, now }),
        ca.certificatePem,
      ),
    ).toBe(true);
  });
});

describe('no bytes whatsoever make it fail in another way', () => {
  test('arbitrary text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async (text) => {
        expect(await outcome(text)).toBe('refused');
      }),
    );
  });

  test('arbitrary bytes in the right envelope', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect(await outcome(csrPem(Buffer.from(bytes)))).toBe('refused');
      }),
    );
  });

  const whole = derOf(fixture('kubelet-p256.csr'));

  test('a request that ends early', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
        expect(await outcome(csrPem(whole.subarray(0, length)))).toBe('refused');
      }),
    );
  });

  test('a request with flipped bits is never signed', async () => {
    const flips = fc.uniqueArray(fc.nat(whole.length * 8 - 1), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(flips, async (bits) => {
        const flipped = Buffer.from(whole);
        for (const bit of bits) flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect((await refusal(csrPem(flipped))).length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  test('well signed requests with any extensions, under any rules', async () => {
    const names = Object.keys(EXTENSION_OIDS) as ExtensionName[];
    const extension = fc.record({
      oid: fc.constantFrom(...Object.values(EXTENSION_OIDS), '1.2.3.4'),
      critical: fc.boolean(),
      value: fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
        fc.uint8Array({ maxLength: 40 }).map((bytes) => sequence(bytes)),
        fc.uint8Array({ maxLength: 3 }).map((bytes) => element(TAG.bitString, bytes)),
      ),
    });
    const rules = fc.record({
      allowCa: fc.boolean(),
      allowedExtensions: fc.subarray(names),
      allowedKeyUsage: fc.subarray([...KEY_USAGE_NAMES]),
      termOfValidityDays: fc.integer({ min: 1, max: 100_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(extension, { maxLength: 4 }), rules, async (extensions, chosen) => {
        expect(['signed', 'refused']).toContain(await outcome(buildRequest({ extensions }), chosen));
      }),
      { numRuns: 200 },
    );
  });

  test('well signed requests with any subject and any attributes', async () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((drawn) => Buffer.from(drawn));
    const value = fc
      .tuple(fc.integer({ min: 1, max: 30 }), bytes)
      .map(([tag, content]) => element(tag, content));
    const subject = value.map((text) =>
      sequence(element(TAG.set, sequence(objectIdentifier(OID.commonName), text))),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(subject, bytes),
        fc.array(bytes, { maxLength: 2 }),
        async (drawn, attributes) => {
          expect(['signed', 'refused']).toContain(
            await outcome(buildRequest({ subject: drawn, attributes })),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});

function ecInfo(point: Buffer): Buffer {
  return sequence(sequence(objectIdentifier(OID.ecPublicKey), objectIdentifier(OID.p256)), octetBits(point));
}

function rsaInfo(bits: number): Buffer {
  const key = sequence(
    unsignedInteger(Buffer.alloc(bits / 8, 0xff)),
    unsignedInteger(Buffer.from([1, 0, 1])),
  );
  return sequence(sequence(objectIdentifier(OID.rsaEncryption), nullValue()), octetBits(key));
}
