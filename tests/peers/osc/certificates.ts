import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { parse } from 'yaml';

import { run } from '../support/program.ts';
import type { Answer, Known, Step } from './step.ts';

const member = 'jeroboam';

/** Writes DIRECTORY/carol.csr and its key, and returns the path of the request. */
export async function writeSigningRequest(
  directory: string,
  python: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const [key, csr] = [path.join(directory, 'carol.key'), path.join(directory, 'carol.csr')];
  const script = path.join(import.meta.dirname, 'make_csr.py');
  const ended = await run(python, [script, key, csr], { env, cwd: directory, timeoutMs: 60_000 });
  if (ended.code !== 0) throw new Error(`No signing request could be made: ${ended.stderr}`);
  return csr;
}

const certificateIn = (answer: Answer): X509Certificate => new X509Certificate(answer.stdout);

interface Kubeconfig {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
  users: [{ user: { 'client-certificate-data': string; 'client-key-data': string } }];
}

/** A client that follows this file must be able to trust the cluster, and the cluster the client. */
async function checkKubeconfig(_: Answer, known: Known): Promise<void> {
  const file = parse(await readFile(`${known['configs']}/config`, 'utf8')) as Kubeconfig;
  const [{ cluster }] = file.clusters;
  const [{ user }] = file.users;
  const authority = new X509Certificate(Buffer.from(cluster['certificate-authority-data'], 'base64'));
  const client = new X509Certificate(Buffer.from(user['client-certificate-data'], 'base64'));
  assert.equal(cluster.server, known['api']);
  assert.ok(authority.ca, 'What should be an authority is none.');
  assert.ok(authority.verify(authority.publicKey), 'The authority is not signed by itself.');
  assert.ok(client.verify(authority.publicKey), 'The certificate is not signed by the authority.');
  assert.ok(client.checkIssued(authority), 'The certificate names another authority.');
  assert.ok(
    client.checkPrivateKey(createPrivateKey(Buffer.from(user['client-key-data'], 'base64'))),
    'The key belongs to another certificate.',
  );
  assert.deepEqual(client.subject.split('\n').toSorted(), ['CN=admin', 'O=system:masters']);
}

/** What a user needs to work with the cluster itself. */
export const certificates: readonly Step[] = [
  {
    title: 'a kubeconfig is written whose authority vouches for its client',
    as: member,
    types: 'coe cluster config peers-c --dir {configs} --force',
    says: 'export KUBECONFIG={configs}/config',
    check: checkKubeconfig,
  },
  {
    title: 'a kubeconfig with certificates in files of their own is written',
    as: member,
    types: 'coe cluster config peers-c --dir {configs} --force --output-certs',
    check: async (_, known) => {
      const read = (name: string) => readFile(`${known['configs']}/${name}.pem`, 'utf8');
      const certificate = new X509Certificate(await read('cert'));
      assert.ok(certificate.verify(new X509Certificate(await read('ca')).publicKey));
      assert.ok(certificate.checkPrivateKey(createPrivateKey(await read('key'))));
    },
  },
  {
    title: 'a kubeconfig that logs in with Keystone is written',
    as: member,
    types: 'coe cluster config peers-c --dir {configs} --force --use-keystone',
    check: async (_, known) => {
      const file = parse(await readFile(`${known['configs']}/config`, 'utf8')) as Kubeconfig;
      assert.equal(file.clusters[0].cluster.server, known['api']);
      assert.ok(!('client-key-data' in file.users[0].user), 'It holds a key.');
    },
  },
  {
    title: 'the authority of a cluster is shown',
    as: member,
    types: 'coe ca show peers-c',
    check: (answer) => assert.ok(certificateIn(answer).ca),
    keep: (answer) => ({ ca: answer.stdout }),
  },
  {
    title: 'a request with an elliptic key is signed by that authority',
    as: member,
    types: 'coe ca sign peers-c {csr}',
    check: async (answer, known) => {
      const certificate = certificateIn(answer);
      const key = await readFile(String(known['csr']).replace(/csr$/, 'key'));
      assert.ok(certificate.verify(new X509Certificate(String(known['ca'])).publicKey));
      assert.ok(certificate.checkPrivateKey(createPrivateKey(key)));
      assert.deepEqual(certificate.subject.split('\n').toSorted(), ['CN=carol', 'O=developers']);
    },
  },
  {
    title: 'a template may be deleted while a cluster was made of it',
    as: member,
    types: 'coe cluster template delete peers-ct2',
    says: 'Request to delete cluster template peers-ct2 has been accepted.',
  },
  {
    title: 'the cluster still gets its kubeconfig, for which the client looks the template up',
    as: member,
    types: 'coe cluster config peers-c --dir {configs} --force',
    check: checkKubeconfig,
  },
  {
    title: 'a driver that cannot rotate the authority says so',
    as: member,
    types: 'coe ca rotate peers-c',
    exit: 1,
    says: "'rotate_ca_certificate' is not supported by this driver (HTTP 400) (Request-ID: req-",
  },
];
