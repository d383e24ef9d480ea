import { describe, expect, test } from 'vitest';

import { OID } from '../../src/certificates/der/object-identifiers.ts';
import { readElement } from '../../src/certificates/der/reader.ts';
import { element, nullValue, octetString, sequence } from '../../src/certificates/der/writer.ts';
import { CertificateRequestError } from '../../src/certificates/errors.ts';
import {
  basicConstraints,
  decodeBasicConstraints,
  extendedKeyUsage,
  keyUsage,
} from '../../src/certificates/extension.ts';
import type { Extension } from '../../src/certificates/extension.ts';
import {
  DEFAULT_SIGNING_RULES,
  EXTENSION_OIDS,
  grantExtensions,
} from '../../src/certificates/extension-rules.ts';
import { decodeKeyUsage, KEY_USAGE_NAMES } from '../../src/certificates/key-usage.ts';
import type { KeyUsage } from '../../src/certificates/key-usage.ts';

const grant = (extension: Extension, rules = DEFAULT_SIGNING_RULES) => grantExtensions([extension], rules)[0];
const grantedUsages = (extension: Extension, rules = DEFAULT_SIGNING_RULES) => {
  const granted = grant(extension, rules);
  return granted === undefined ? undefined : decodeKeyUsage(granted.value);
};
const withCa = { ...DEFAULT_SIGNING_RULES, allowCa: true };

describe('extensions by name', () => {
  const unknown = (critical: boolean): Extension => ({ oid: '1.2.3.4', critical, value: nullValue() });

  test('one that is not allowed is dropped where it is dispensable', () => {
    expect(grant(unknown(false))).toBeUndefined();
    expect(
      grant({ oid: EXTENSION_OIDS.nameConstraints, critical: false, value: sequence() }),
    ).toBeUndefined();
  });

  test('one that is not allowed is refused where it is critical, by its name or else its number', () => {
    expect(() => grant(unknown(true))).toThrow(CertificateRequestError);
    expect(() => grant(unknown(true))).toThrow("Extension '1.2.3.4' not allowed");
    const constraints = { oid: EXTENSION_OIDS.nameConstraints, critical: true, value: sequence() };
    expect(() => grant(constraints)).toThrow("Extension 'nameConstraints' not allowed");
  });

  test('one that the configuration allows passes as it was sent', () => {
    const rules = { ...DEFAULT_SIGNING_RULES, allowedExtensions: ['certificatePolicies'] as const };
    const policies = {
      oid: EXTENSION_OIDS.certificatePolicies,
      critical: true,
      value: sequence(nullValue()),
    };
    expect(grant(policies, rules)).toEqual(policies);
    expect(grant(extendedKeyUsage([OID.clientAuth], false), rules)).toBeUndefined();
  });
});

describe('key usage', () => {
  const refusedByDefault: KeyUsage[] = ['Data Encipherment', 'Key Agreement', 'Certificate Sign', 'CRL Sign'];

  test.each(refusedByDefault)('a dispensable "%s" is cleared and the rest is kept', (usage) => {
    expect(grantedUsages(keyUsage(['Digital Signature', usage], false))).toEqual(['Digital Signature']);
  });

  test.each(refusedByDefault)('a critical "%s" is refused by name', (usage) => {
    const extension = keyUsage(['Digital Signature', usage], true);
    expect(() => grant(extension)).toThrow(
      `Extension 'keyUsage' not allowed: it is critical in the field csr and this service does not grant ${usage}.`,
    );
  });

  test('what is allowed keeps its criticality', () => {
    const extension = keyUsage(['Digital Signature', 'Non Repudiation', 'Key Encipherment'], true);
    expect(grant(extension)).toEqual(extension);
  });

  test('a key usage of which nothing is granted is left out, because one without any bit is invalid', () => {
    expect(grant(keyUsage(['Certificate Sign', 'CRL Sign'], false))).toBeUndefined();
  });

  test('signing certificates needs both the usage and the authority flag in the configuration', () => {
    const asked = keyUsage(['Certificate Sign'], true);
    const usageOnly = { ...DEFAULT_SIGNING_RULES, allowedKeyUsage: KEY_USAGE_NAMES };
    expect(() => grant(asked, usageOnly)).toThrow(CertificateRequestError);
    expect(() => grant(asked, withCa)).toThrow(CertificateRequestError);
    expect(grantedUsages(asked, { ...usageOnly, allowCa: true })).toEqual(['Certificate Sign']);
  });

  test('"encipher only" goes with the key agreement that it qualifies', () => {
    const allButAgreement = {
      ...DEFAULT_SIGNING_RULES,
      allowedKeyUsage: ['Digital Signature', 'Encipher Only'] as const,
    };
    const asked = keyUsage(['Digital Signature', 'Key Agreement', 'Encipher Only'], false);
    expect(grantedUsages(asked, allButAgreement)).toEqual(['Digital Signature']);
    expect(grantedUsages(keyUsage(['Digital Signature', 'Decipher Only'], true))).toEqual([
      'Digital Signature',
    ]);
  });
});

describe('basic constraints', () => {
  test('a dispensable wish to be an authority becomes CA:FALSE without a path length', () => {
    expect(grant(basicConstraints({ ca: true, pathLength: 3 }, false))).toEqual(
      basicConstraints({ ca: false }, false),
    );
  });

  test('a critical wish to be an authority is refused', () => {
    expect(() => grant(basicConstraints({ ca: true }, true))).toThrow(
      "Extension 'basicConstraints' not allowed",
    );
  });

  test('CA:FALSE passes, critical or not', () => {
    for (const critical of [true, false]) {
      expect(grant(basicConstraints({ ca: false }, critical))).toEqual(
        basicConstraints({ ca: false }, critical),
      );
    }
  });

  test('where authorities are allowed the wish is granted as it is', () => {
    const asked = basicConstraints({ ca: true, pathLength: 1 }, true);
    expect(grant(asked, withCa)).toEqual(asked);
  });

  test('a path length without the authority flag, on which Magnum fails, is left out', () => {
    const odd = {
      ...basicConstraints({ ca: false }, true),
      value: sequence(element(0x02, Buffer.from([5]))),
    };
    expect(decodeBasicConstraints(odd.value)).toEqual({ ca: false, pathLength: 5 });
    expect(grant(odd)?.value).toEqual(sequence());
  });
});

describe('values that cannot be read are refused by the name of the extension', () => {
  test.each([
    ['keyUsage', octetString(Buffer.from('x'))],
    ['keyUsage', element(0x03)],
    ['keyUsage', element(0x03, Buffer.from([9, 0xff]))],
    ['basicConstraints', nullValue()],
    ['basicConstraints', sequence(nullValue())],
    ['basicConstraints', sequence(element(0x02, Buffer.from([0x80])))],
    ['extendedKeyUsage', sequence()],
    ['extendedKeyUsage', sequence(nullValue())],
    ['subjectAltName', sequence()],
    ['subjectAltName', sequence(nullValue())],
    ['subjectAltName', Buffer.from([0x30, 0x05])],
  ] as const)('%s', (name, value) => {
    const broken = { oid: EXTENSION_OIDS[name], critical: false, value };
    expect(() => grant(broken)).toThrow(`The field csr holds an extension '${name}' that cannot be read.`);
  });

  test('nothing is invented: what passes is one well-formed element', () => {
    const granted = grant(extendedKeyUsage([OID.clientAuth], false));
    expect(readElement(granted?.value ?? Buffer.alloc(0)).content.length).toBeGreaterThan(0);
  });
});
