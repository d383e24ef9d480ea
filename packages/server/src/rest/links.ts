export interface Link {
  href: string;
  rel: 'self' | 'bookmark';
}

/** The two addresses of a resource: with the version, and without for those who keep them for long. */
export const linksOf = (base: string, path: string): Link[] => [
  { href: `${base}/v1/${path}`, rel: 'self' },
  { href: `${base}/${path}`, rel: 'bookmark' },
];
