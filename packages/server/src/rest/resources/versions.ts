import { maxMinor, minMinor } from '@jeroboam/domain';
import { linksOf } from '../links.ts';

/** What the service is and which versions it speaks; public, since clients read it before they log in. */
export const rootDocument = (base: string): Record<string, unknown> => ({
  name: 'OpenStack Magnum API',
  description: 'Jeroboam: managed Kubernetes for OpenStack clouds, speaking the Magnum API.',
  versions: [
    {
      id: 'v1',
      links: [{ href: `${base}/v1/`, rel: 'self' }],
      status: 'CURRENT',
      max_version: `1.${maxMinor}`,
      min_version: `1.${minMinor}`,
    },
  ],
});

const collections = [
  'clustertemplates',
  'clusters',
  'quotas',
  'certificates',
  'mservices',
  'stats',
  'federations',
  'credentials',
];

export const v1Document = (base: string): Record<string, unknown> => ({
  id: 'v1',
  media_types: [{ base: 'application/json', type: 'application/vnd.openstack.magnum.v1+json' }],
  links: [
    { href: `${base}/v1/`, rel: 'self' },
    { href: `${base}/v1/docs`, rel: 'describedby', type: 'text/html' },
  ],
  ...Object.fromEntries(collections.map((name) => [name, linksOf(base, `${name}/`)])),
  nodegroups: linksOf(base, 'clusters/{cluster_id}/nodegroups'),
});
