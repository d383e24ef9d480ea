import { nodeGroupTemplateAttributes } from '@jeroboam/domain';
import type { Person, TestAnswer, TestService } from '../../support/test-service.ts';
import { wholeGroup } from '../../ways/support/world.ts';

export type Body = Record<string, unknown>;

/** Every attribute of a node group, none of them at its default. */
export const everything = { ...wholeGroup, kubernetes_version: 'v1.31.4' };

/** Each of them as open as a template can leave it. */
export const nothing: Body = Object.fromEntries(Object.keys(everything).map((name) => [name, null]));

/** What a template says of the groups made from it. */
export const saidBy = (template: Body): Body =>
  Object.fromEntries(Object.keys(everything).map((name) => [name, template[name]]));

/** All that is answered of a template. */
export const shownNames = nodeGroupTemplateAttributes.attributes
  .filter(({ input }) => input !== true)
  .map(({ name }) => name);

export const collection = '/v1/nodegrouptemplates';

/** Asks for something and insists on a status; a failure tells what came instead. */
export class Templates {
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
  }

  async ask(
    person: Person,
    method: string,
    path: string,
    body: unknown,
    status: number,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> {
    const answer = await this.#service.request(person, method, path, body, headers);
    if (answer.status === status) return answer;
    throw new Error(`${method} ${path}: ${status} was expected, not ${answer.status} ${answer.text}`);
  }

  /** A new one of demo's. */
  async make(body: Body = {}, path = collection): Promise<Body & { uuid: string }> {
    return (await this.ask('demo', 'POST', path, body, 201)).body;
  }

  /** What is said of a request that is refused. */
  async refusal(
    status: number,
    method: string,
    path: string,
    body?: unknown,
    person: Person = 'demo',
  ): Promise<string> {
    return (await this.ask(person, method, path, body, status)).body.errors[0].detail;
  }

  async show(ident: string, person: Person = 'demo'): Promise<Body> {
    return (await this.ask(person, 'GET', `${collection}/${ident}`, undefined, 200)).body;
  }

  patch(uuid: string, changes: unknown[], status = 200, query = ''): Promise<TestAnswer> {
    return this.ask('demo', 'PATCH', `${collection}/${uuid}${query}`, changes, status);
  }

  async names(path = collection, person: Person = 'demo'): Promise<unknown[]> {
    const { body } = await this.ask(person, 'GET', path, undefined, 200);
    return body.nodegrouptemplates.map(({ name }: Body) => name);
  }
}

export const replace = (name: string, value: unknown): Body => ({ op: 'replace', path: `/${name}`, value });
