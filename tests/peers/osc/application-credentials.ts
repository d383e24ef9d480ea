import { writeFile } from 'node:fs/promises';

import { stringify } from 'yaml';

import { objectIn, status, type Answer, type Known, type Step } from './step.ts';

const member = 'jeroboam';
const robot = 'application-credential';

/** A clouds file as the credential's owner would hand it to a program. */
async function writeClouds(answer: Answer, known: Known): Promise<void> {
  const { ID: id, Secret: secret } = objectIn(answer);
  const cloud = {
    auth_type: 'v3applicationcredential',
    auth: {
      auth_url: known['auth-url'],
      application_credential_id: id,
      application_credential_secret: secret,
    },
    region_name: 'RegionOne',
  };
  await writeFile(String(known['robot-clouds']), stringify({ clouds: { [robot]: cloud } }), { mode: 0o600 });
}

/** What a program does that was given a credential instead of a person's password. */
export const applicationCredentials: readonly Step[] = [
  {
    title: 'a member creates an application credential',
    as: member,
    types: 'application credential create robot',
    shows: { Name: 'robot', Unrestricted: false },
    check: writeClouds,
  },
  {
    title: 'the credential opens the same project',
    as: robot,
    types: 'coe cluster list',
    lists: [{ name: 'peers-c' }],
  },
  {
    title: 'the credential creates a cluster',
    as: robot,
    types: 'coe cluster create --cluster-template peers-ct peers-robot',
    says: 'Request to create cluster ',
  },
  {
    title: 'that cluster becomes complete',
    as: robot,
    types: 'coe cluster show peers-robot',
    until: status('CREATE_COMPLETE'),
    shows: { coe_version: '1.31.4' },
  },
  {
    title: 'the credential gets a kubeconfig',
    as: robot,
    types: 'coe cluster config peers-robot --dir {configs} --force',
    says: 'export KUBECONFIG={configs}/config',
  },
  {
    title: 'the credential deletes clusters',
    as: robot,
    types: 'coe cluster delete peers-robot peers-c',
    says: 'Request to delete cluster peers-c has been accepted.',
  },
  {
    title: 'one of them is gone in the end',
    as: member,
    types: 'coe cluster show peers-robot',
    untilExit: 1,
    says: 'Cluster peers-robot could not be found (HTTP 404)',
  },
  {
    title: 'the other is gone in the end',
    as: member,
    types: 'coe cluster show peers-c',
    untilExit: 1,
    says: 'Cluster peers-c could not be found (HTTP 404)',
  },
  { title: 'the credential is deleted', as: member, types: 'application credential delete robot' },
  {
    title: 'a deleted credential opens nothing',
    as: robot,
    types: 'coe cluster list',
    exit: 1,
    says: '(HTTP 401)',
  },
];
