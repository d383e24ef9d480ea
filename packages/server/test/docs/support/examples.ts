/** An example of a page: a command, the status it is answered with, and the body, where it shows one. */
export interface Example {
  /** The heading it stands under, for messages. */
  heading: string;
  command: string;
  status: number;
  answer?: unknown;
}

const pattern =
  /^#+ (?<heading>.+)$|^```console\n\$ (?<command>ask [\s\S]*?)\n```\n\n(?:Answers (?<status>\d{3})(?:\.|:\n\n```json\n(?<answer>[\s\S]*?)\n```))?/gm;

/** The examples of a page in their order. A command whose answer is not told is a mistake of the page. */
export function examplesOf(page: string): Example[] {
  let heading = '';
  return [...page.matchAll(pattern)].flatMap(({ groups = {} }) => {
    if (groups['heading'] !== undefined) {
      heading = groups['heading'];
      return [];
    }
    const { command = '', status, answer } = groups;
    if (status === undefined) throw new Error(`under “${heading}” stands a command without an answer`);
    return [
      {
        heading,
        command,
        status: Number(status),
        ...(answer === undefined ? {} : { answer: JSON.parse(answer) as unknown }),
      },
    ];
  });
}
