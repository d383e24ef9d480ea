import { maxMinor, minMinor, type Fault } from '@jeroboam/domain';

/** Magnum's error body. The title is the detail up to its first full stop. */
export interface ErrorBody {
  errors: [Record<string, unknown>];
}

const element = (status: number, code: string, title: string, detail: string): ErrorBody => ({
  errors: [{ request_id: '', code, status, title, detail, links: [] }],
});

const firstSentence = (text: string): string => {
  const stop = text.indexOf('.');
  return stop < 0 ? text : text.slice(0, stop);
};

/** Details quote what was sent; what was sent can be a megabyte. */
const longestDetail = 4000;

const shortened = (text: string): string =>
  text.length > longestDetail ? `${text.slice(0, longestDetail)}…` : text;

export const faultBody = (fault: Fault): ErrorBody => {
  const detail = shortened(fault.message);
  return element(fault.status, fault.status < 500 ? 'client' : 'server', firstSentence(detail), detail);
};

/** Errors of the frame around the resources: no such path, no such method, no such version. */
export const frameBody = (status: number, title: string, detail = ''): ErrorBody =>
  element(status, '', title, detail);

export const unsupportedVersionBody = (detail: string): ErrorBody => ({
  errors: [
    {
      code: 'magnum.microversion-unsupported',
      title: 'Requested microversion is unsupported',
      description: detail,
      max_version: `1.${maxMinor}`,
      min_version: `1.${minMinor}`,
      links: [{ rel: 'help', href: 'http://docs.openstack.org/api-guide/compute/microversions.html' }],
    },
  ],
});
