import { readFileSync } from 'node:fs';

/** An error answer of a real service, as it came over the wire. */
export interface RecordedError {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type RecordedAnswerName =
  | 'token'
  | 'applicationCredentialToken'
  | 'flavors'
  | 'image'
  | 'images'
  | 'networks'
  | 'externalNetworks'
  | 'subnet'
  | 'keypair';

function textOf(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8');
}

export const recordedErrors: readonly RecordedError[] = JSON.parse(textOf('recorded-errors'));
export const recordedAnswers: Readonly<Record<RecordedAnswerName, unknown>> = JSON.parse(
  textOf('recorded-answers'),
);

/** The recorded error of a service, by its status. */
export function recordedError(service: string, status: number): RecordedError {
  const found = recordedErrors.find((error) => error.service === service && error.status === status);
  if (found === undefined) throw new Error(`no recorded ${status} of ${service}`);
  return found;
}
