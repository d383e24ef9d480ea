import type { NewEvent } from './events.ts';
import type { OperationDetail, OperationKind } from './schema.ts';

const words: Readonly<Record<OperationKind, string>> = {
  create: 'The creation of the cluster',
  change: 'The change of the cluster',
  delete: 'The deletion of the cluster',
  'rotate-ca': 'The rotation of the authorities',
  'rotate-credential': 'The rotation of the credential',
};

export type OperationMoment = 'Accepted' | 'Began' | 'Completed' | 'Failed';

const saying: Readonly<Record<OperationMoment, string>> = {
  Accepted: 'was accepted.',
  Began: 'began.',
  Completed: 'is done.',
  Failed: 'failed:',
};

/** What is told of an operation in the moments of its life. */
export const operationEvent = (
  { kind, detail }: { kind: OperationKind; detail: OperationDetail },
  moment: OperationMoment,
  why = '',
): NewEvent => ({
  kind: 'operation',
  object: kind,
  reason: moment,
  message: `${detail.summary ?? words[kind]} ${saying[moment]} ${why}`.trim(),
  severity: moment === 'Failed' ? 'error' : 'info',
});
