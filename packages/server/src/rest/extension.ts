import type { QueryArgument } from './operation.ts';

/**
 * The media type of what goes beyond Magnum. Who accepts it is shown every attribute of a resource; who sends it may
 * change every attribute that can be changed. Clients of Magnum know nothing of it and see what Magnum would answer.
 */
export const extensionType = 'application/vnd.jeroboam.v1+json';

/** Whether a header names the media type of the extensions. */
export const namesExtension = (header: string | undefined): boolean =>
  header !== undefined &&
  header.split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === extensionType);

/** Known by everything that makes or changes a resource. */
export const dryRunArgument: QueryArgument = {
  name: 'dry_run',
  type: 'boolean',
  extension: true,
  description:
    'True: nothing is written; the answer is the resource as it would be, where each attribute comes from, and all that would be refused.',
};
