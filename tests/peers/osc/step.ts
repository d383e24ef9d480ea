import type { CloudName } from '../support/service.ts';

/** What a command printed, and how it ended. */
export interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What earlier steps learnt and later ones refer to. */
export type Known = Record<string, string>;

type Shown = Readonly<Record<string, unknown>>;

/** One command as a person types it, and what must come of it. */
export interface Step {
  /** The guarantee, as a sentence. */
  readonly title: string;
  /** Whose cloud of clouds.yaml; the credential is made by an earlier step. */
  readonly as: CloudName | 'application-credential';
  /** What is typed after `openstack`; {names} stand for what earlier steps kept. */
  readonly types: string;
  /** 0 unless said otherwise. */
  readonly exit?: number;
  /** What must be read in what is printed, {names} replaced. */
  readonly says?: string;
  /** The part of the object that must be shown; asks for JSON. */
  readonly shows?: Shown;
  /** The rows that must be listed, in part each and in this order; asks for JSON. */
  readonly lists?: readonly Shown[];
  /** Rows of a table that the client prints in no other form. */
  readonly table?: Readonly<Record<string, string>>;
  /** Further looks. Throws what is wrong. */
  readonly check?: (answer: Answer, known: Known) => void | Promise<void>;
  /** Taken from the JSON object or from the text for later steps. */
  readonly keep?: (answer: Answer) => Known;
  /** Repeats the command until this holds; what must be shown is looked at afterwards. */
  readonly until?: (shown: Record<string, unknown>) => boolean;
  /** Repeats the command until it ends so. */
  readonly untilExit?: number;
}

/** The JSON in what was printed; some commands put a sentence before it. */
export function jsonIn(answer: Answer): unknown {
  const begin = answer.stdout.search(/^[[{]/m);
  if (begin < 0) throw new Error('There is no JSON in what was printed.');
  return JSON.parse(answer.stdout.slice(begin));
}

export const objectIn = (answer: Answer): Record<string, unknown> =>
  jsonIn(answer) as Record<string, unknown>;

/** The rows of a table with two columns. */
export function tableIn(answer: Answer): Record<string, string> {
  const rows = answer.stdout.matchAll(/^\|\s*(.*?)\s*\|\s*(.*?)\s*\|$/gm);
  return Object.fromEntries(Array.from(rows, ([, name = '', value = '']) => [name, value]));
}

/** Ends when the cluster has reached the status; a failed one never will. */
export const status =
  (wanted: string) =>
  (shown: Record<string, unknown>): boolean => {
    const now = String(shown['status']);
    if (now.endsWith('_FAILED') && now !== wanted)
      throw new Error(`It is ${now}: ${String(shown['status_reason'])}`);
    return now === wanted;
  };
