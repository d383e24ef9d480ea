import { objectIn, type Step } from './step.ts';

/** What a newcomer looks at before the first cluster. */
export const cloud: readonly Step[] = [
  {
    title: 'the clouds file of the service lets a member in',
    as: 'jeroboam',
    types: 'token issue',
    shows: {},
    keep: (answer) => ({ project: String(objectIn(answer)['project_id']) }),
  },
  {
    title: 'the catalogue names the service and its address',
    as: 'jeroboam',
    types: 'catalog show container-infra',
    shows: { name: 'magnum', type: 'container-infra' },
  },
  {
    title: 'the versions of the service are found by discovery',
    as: 'jeroboam',
    types: 'versions show --service container-infra',
    lists: [{ Version: '1.0', Status: 'CURRENT', 'Min Microversion': '1.1', 'Max Microversion': '1.14' }],
  },
  {
    title: 'flavors are listed',
    as: 'jeroboam',
    types: 'flavor list --sort-column Name',
    lists: ['m1.large', 'm1.medium', 'm1.small', 'm1.tiny', 'm1.zerodisk'].map((Name) => ({ Name })),
  },
  {
    title: 'an image tells its distribution and its version of Kubernetes',
    as: 'jeroboam',
    types: 'image show ubuntu-kube-v1.31',
    shows: { name: 'ubuntu-kube-v1.31', properties: { os_distro: 'ubuntu', kube_version: 'v1.31.4' } },
  },
  {
    title: 'the external network is listed as such',
    as: 'jeroboam',
    types: 'network list --external',
    lists: [{ Name: 'public' }],
  },
  {
    title: 'a keypair is made',
    as: 'jeroboam',
    types: 'keypair create --private-key {configs}/peers.key peers',
  },
  {
    title: 'the keypair is shown',
    as: 'jeroboam',
    types: 'keypair show peers',
    shows: { name: 'peers', type: 'ssh' },
  },
];
