import { Fault } from '@jeroboam/domain';
import {
  createSession,
  findFlavor,
  findImage,
  findNetwork,
  findSubnet,
  fixedToken,
  getKeypair,
  OpenStackError,
  type FindResult,
  type Flavor,
  type Http,
  type Image,
  type Session,
} from '@jeroboam/openstack';
import type { Caller } from '../identity/index.ts';

/**
 * What a request needs to know of the caller's cloud, asked with the caller's token, each thing once however
 * many checks need it. Calls start when they are made, so a handler starts them all and then awaits them in
 * the order in which Magnum would complain.
 */
export class CloudLookup {
  readonly #session: Session;
  readonly #answers = new Map<string, Promise<unknown>>();

  constructor(
    caller: Caller,
    http: Http,
    options: { region?: string | undefined; interface?: 'public' | 'internal' | 'admin' | undefined },
  ) {
    const session = createSession({
      http,
      tokens: fixedToken({ token: caller.token, catalog: caller.catalog }),
      region: options.region ?? null,
      interface: options.interface ?? 'public',
    });
    this.#session = askingOnce(session);
  }

  #once<T>(key: string, ask: () => Promise<FindResult<T>>): Promise<FindResult<T>> {
    let answer = this.#answers.get(key) as Promise<FindResult<T>> | undefined;
    if (answer === undefined) {
      answer = ask().catch((error: unknown) => {
        throw unavailable(error);
      });
      // Another check may fail first; an answer nobody awaits any more must not end the process.
      answer.catch(() => undefined);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  /** Starts asking, so that the answers come side by side. */
  begin(...asking: (Promise<unknown> | null)[]): void {
    for (const flight of asking) flight?.catch(() => undefined);
  }

  async image(ident: string | null, field = 'image_id'): Promise<Image> {
    if (ident === null)
      throw new Fault('cloud_resource_missing', "Image None doesn't contain os_distro field.", { field });
    const found = await this.#once(`image ${ident}`, () => findImage(this.#session, ident));
    if (found.kind === 'forbidden')
      throw new Fault('forbidden', `Not authorized to access image ${ident}.`, { field });
    if (found.kind === 'not-found')
      throw new Fault('cloud_resource_missing', `Image ${ident} could not be found.`, { field });
    // Magnum cannot tell two images of one name apart and then misses the property.
    const distro = found.kind === 'found' ? found.value.osDistro : null;
    if (found.kind !== 'found' || distro === null || distro === '') {
      throw new Fault('cloud_resource_missing', `Image ${ident} doesn't contain os_distro field.`, { field });
    }
    return found.value;
  }

  async flavor(ident: string | null | undefined, field: string): Promise<Flavor> {
    const shown = ident === undefined ? 'Unset' : (ident ?? 'None');
    const missing = new Fault('cloud_resource_missing', `Unable to find flavor ${shown}.`, { field });
    if (ident === null || ident === undefined) throw missing;
    const found = await this.#once(`flavor ${ident}`, () => findFlavor(this.#session, ident));
    if (found.kind !== 'found') throw missing;
    return found.value;
  }

  async externalNetwork(ident: string): Promise<void> {
    const found = await this.#once(`external ${ident}`, () =>
      findNetwork(this.#session, ident, { external: true }),
    );
    if (found.kind === 'ambiguous') throw ambiguousNetwork(ident, 'external_network_id');
    if (found.kind === 'found') return;
    throw new Fault('cloud_resource_missing', `Unable to find external network ${ident}.`, {
      field: 'external_network_id',
    });
  }

  async fixedNetwork(ident: string, field = 'fixed_network'): Promise<void> {
    const found = await this.#once(`network ${ident}`, () => findNetwork(this.#session, ident));
    if (found.kind === 'ambiguous') throw ambiguousNetwork(ident, field);
    if (found.kind === 'found') return;
    const what = field === 'fixed_network' ? 'fixed network' : 'network';
    throw new Fault('cloud_resource_missing', `Unable to find ${what} ${ident}.`, { field });
  }

  async fixedSubnet(ident: string, field = 'fixed_subnet'): Promise<void> {
    const found = await this.#once(`subnet ${ident}`, () => findSubnet(this.#session, ident));
    if (found.kind === 'found') return;
    if (found.kind === 'ambiguous') {
      const message = `Multiple subnets exist with same name '${ident}'. Please use the subnet ID instead.`;
      throw new Fault('conflict', message, { field });
    }
    const what = field === 'fixed_subnet' ? 'fixed subnet' : 'subnet';
    throw new Fault('cloud_resource_missing', `Unable to find ${what} ${ident}.`, { field });
  }

  async keypair(name: string): Promise<void> {
    const found = await this.#once(`keypair ${name}`, () => getKeypair(this.#session, name));
    if (found.kind === 'found') return;
    throw new Fault('not_found', `Unable to find keypair ${name}.`, { field: 'keypair' });
  }
}

/** The same question is put once, by whatever search it is part of: flavors by name all need the one list. */
function askingOnce(session: Session): Session {
  const replies = new Map<string, ReturnType<Session['request']>>();
  return {
    request(asked) {
      const question = `${asked.service} ${asked.path}?${asked.query?.toString() ?? ''}`;
      const reply = replies.get(question) ?? session.request(asked);
      replies.set(question, reply);
      return reply;
    },
  };
}

const ambiguousNetwork = (ident: string, field: string): Fault =>
  new Fault(
    'conflict',
    `Multiple networks exist with same name '${ident}'. Please use the network ID instead.`,
    { field },
  );

/**
 * A cloud that refuses a name as such did not know it; one that refuses the token has seen it revoked before we
 * have; one that does not answer is no fault of the caller.
 */
function unavailable(error: unknown): unknown {
  if (error instanceof OpenStackError && error.status === 401) {
    return new Fault('unauthenticated', 'The token is no longer valid.', { cause: error });
  }
  if (error instanceof OpenStackError && error.status === 400) {
    return new Fault('cloud_resource_missing', `The cloud refused the request: ${error.message}`, {
      cause: error,
    });
  }
  if (error instanceof OpenStackError || error instanceof Error) {
    return new Fault(
      'cloud_unavailable',
      `A service of the cloud did not answer, try again later: ${error.message}`,
      { cause: error },
    );
  }
  return error;
}
