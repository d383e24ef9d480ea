import type { Step } from './step.ts';

const member = 'jeroboam';
const reader = 'jeroboam-reader';
const second = 'jeroboam-second';

/** What the client makes of refusals, and what readers and other projects can do. */
export const errors: readonly Step[] = [
  {
    title: 'an unknown cluster is named in the error',
    as: member,
    types: 'coe cluster show nope',
    exit: 1,
    says: 'Cluster nope could not be found (HTTP 404) (Request-ID: req-',
  },
  {
    title: 'an unknown template is named in the error',
    as: member,
    types: 'coe cluster create --cluster-template nope x',
    exit: 1,
    says: 'ClusterTemplate nope could not be found (HTTP 404) (Request-ID: req-',
  },
  {
    title: 'an unknown image is named in the error',
    as: member,
    types: 'coe cluster template create --coe kubernetes --image nope --external-network public x',
    exit: 1,
    says: 'Image nope could not be found (HTTP 400) (Request-ID: req-',
  },
  {
    title: 'an unknown flavor is named in the error',
    as: member,
    types: 'coe cluster create --cluster-template peers-ct --flavor nope x',
    exit: 1,
    says: 'Unable to find flavor nope (HTTP 400) (Request-ID: req-',
  },
  {
    title: 'an unknown keypair is named in the error',
    as: member,
    types: 'coe cluster create --cluster-template peers-ct --keypair nope x',
    exit: 1,
    says: 'Unable to find keypair nope (HTTP 404) (Request-ID: req-',
  },
  {
    title: 'an even number of masters is refused',
    as: member,
    types: 'coe cluster create --cluster-template peers-ct --master-count 2 x',
    exit: 1,
    says: 'master nodegroup size of 2 is invalid, size cannot be an even number (HTTP 400)',
  },
  {
    title: 'a wrong password is told as such',
    as: member,
    types: '--os-password wrong coe cluster list',
    exit: 1,
    says: 'The request you have made requires authentication. (HTTP 401)',
  },
  {
    title: 'a reader lists the clusters of the project',
    as: reader,
    types: 'coe cluster list',
    lists: [{ name: 'peers-c' }],
  },
  {
    title: 'a reader sees a cluster',
    as: reader,
    types: 'coe cluster show peers-c',
    shows: { name: 'peers-c', status: 'UPDATE_COMPLETE' },
  },
  {
    title: 'a reader must not create a cluster',
    as: reader,
    types: 'coe cluster create --cluster-template peers-ct x',
    exit: 1,
    says: "Policy doesn't allow cluster:create to be performed (HTTP 403) (Request-ID: req-",
  },
  {
    title: 'a reader must not create a template',
    as: reader,
    types:
      'coe cluster template create --coe kubernetes --image ubuntu-kube-v1.31 --external-network public x',
    exit: 1,
    says: "Policy doesn't allow clustertemplate:create to be performed (HTTP 403)",
  },
  {
    title: 'a reader must not resize a cluster',
    as: reader,
    types: 'coe cluster resize peers-c 5',
    exit: 1,
    says: "Policy doesn't allow cluster:resize to be performed (HTTP 403)",
  },
  {
    title: 'a reader must not delete a cluster',
    as: reader,
    types: 'coe cluster delete peers-c',
    exit: 1,
    says: "Policy doesn't allow cluster:delete to be performed (HTTP 403)",
  },
  { title: 'another project sees no cluster of the first', as: second, types: 'coe cluster list', lists: [] },
  {
    title: 'another project cannot find a cluster by its uuid',
    as: second,
    types: 'coe cluster show {cluster}',
    exit: 1,
    says: 'Cluster {cluster} could not be found (HTTP 404)',
  },
  {
    title: 'another project cannot have the kubeconfig of a cluster',
    as: second,
    types: 'coe cluster config {cluster} --dir {configs} --force',
    exit: 1,
    says: 'Cluster {cluster} could not be found (HTTP 404)',
  },
  {
    title: 'another project cannot use a private template',
    as: second,
    types: 'coe cluster create --cluster-template {template} x',
    exit: 1,
    says: 'ClusterTemplate {template} could not be found (HTTP 404)',
  },
];
