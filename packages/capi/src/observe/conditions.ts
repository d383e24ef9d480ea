import type { HeldCondition, HeldObject } from '../cache/held.ts';

/** Conditions that are True while something is still going on; all others are True when all is well. */
const busyTypes = new Set([
  'RollingOut',
  'ScalingUp',
  'ScalingDown',
  'Remediating',
  'Deleting',
  'Paused',
  'Updating',
]);

export const find = (object: HeldObject, type: string): HeldCondition | undefined =>
  object.conditions.find((condition) => condition.type === type);

export const isTrue = (object: HeldObject, type: string): boolean => find(object, type)?.status === 'True';

/** Whether a condition says that something is going on or not as it should be. */
export const isRemarkable = ({ type, status }: HeldCondition): boolean =>
  busyTypes.has(type) ? status === 'True' : status !== 'True';

/** Reasons are shown in tables and mails: one line, of a length that can be read. */
const longest = 600;

const oneLine = (message: string): string => {
  const line = message.replaceAll(/\s*\n\s*/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
};

/** A condition in words: the object, the condition, and what the controllers and the cloud say of it. */
export function tell(object: HeldObject, { type, reason, message }: HeldCondition): string {
  const said = message === null ? reason : oneLine(message);
  return `${object.kind} ${object.name}: ${type}${said === null ? '' : `: ${said}`}`;
}

/** The first of these conditions, in this order, that says something; null when all is well as far as is known. */
export function remark(object: HeldObject, types: readonly string[]): string | null {
  const told = types.flatMap((type) => {
    const condition = find(object, type);
    return condition !== undefined && isRemarkable(condition) ? [condition] : [];
  });
  // One with words says more than one without.
  const best = told.find(({ message }) => message !== null) ?? told[0];
  return best === undefined ? null : tell(object, best);
}
