import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KubeAccess } from '@jeroboam/kubernetes';
import { stringify } from 'yaml';
import type { Gateway } from './gateway.ts';
import { pkiDirectory, ports } from './servers.ts';

const pem = (directory: string, name: string): string =>
  readFileSync(path.join(pkiDirectory(directory), name), 'utf8');

/** The administrator's access from within this process, through whichever box there is when a connection is made. */
export function adminAccess(directory: string, gateway: Gateway): KubeAccess {
  return {
    server: `https://127.0.0.1:${ports.api}`,
    certificateAuthority: pem(directory, 'ca.crt'),
    clientCertificate: pem(directory, 'admin.crt'),
    clientKey: pem(directory, 'admin.key'),
    connect: () => gateway.connect(ports.api),
  };
}

/** The administrator's access as a file that every tool reads. */
export function writeKubeconfig(file: string, directory: string, port: number): void {
  const inline = (name: string): string => Buffer.from(pem(directory, name)).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'management',
    contexts: [{ name: 'management', context: { cluster: 'management', user: 'admin' } }],
    clusters: [
      {
        name: 'management',
        cluster: {
          server: `https://127.0.0.1:${port}`,
          'certificate-authority-data': inline('ca.crt'),
        },
      },
    ],
    users: [
      {
        name: 'admin',
        user: { 'client-certificate-data': inline('admin.crt'), 'client-key-data': inline('admin.key') },
      },
    ],
  };
  writeFileSync(file, stringify(config), { mode: 0o600 });
}
