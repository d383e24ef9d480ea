/** Names by which a catalogue may list a service, the official one first, and the API version that is spoken to it. */
export const SERVICE_TYPES = {
  identity: { types: ['identity'], version: 'v3' },
  compute: { types: ['compute'], version: 'v2.1' },
  image: { types: ['image'], version: 'v2' },
  network: { types: ['network'], version: 'v2.0' },
  'block-storage': {
    types: ['block-storage', 'block-store', 'volumev3', 'volume', 'volumev2'],
    version: 'v3',
  },
  'load-balancer': { types: ['load-balancer'], version: 'v2' },
  'key-manager': { types: ['key-manager'], version: 'v1' },
  'container-infra': {
    types: [
      'container-infrastructure-management',
      'container-infrastructure',
      'container-infra',
      'container',
    ],
    version: 'v1',
  },
} as const satisfies Readonly<Record<string, { types: readonly string[]; version: string }>>;

export type ServiceType = keyof typeof SERVICE_TYPES;
