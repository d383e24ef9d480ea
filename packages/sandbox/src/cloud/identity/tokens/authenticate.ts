import { badRequest, forbidden, unauthorized } from '../../http/api-error.ts';
import {
  isObject,
  optionalObject,
  optionalString,
  optionalStrings,
  requiredString,
} from '../../http/fields.ts';
import type { Fields } from '../../http/fields.ts';
import type { Directory } from '../directory.ts';
import type { ApplicationCredential, User } from '../model.ts';
import { verifySecret } from '../secrets.ts';
import { domainOf, findDomainId } from './scope.ts';
import type { Session } from './session.ts';

/** Who someone has shown themselves to be, and how. */
export interface Proof {
  user: User;
  methods: string[];
  /** Tokens made from this proof end no later (ms). */
  notAfter?: number;
  /** The first audit id of the chain, when the proof was itself a token. */
  auditChain?: string;
  /** Set for application credentials, together with the only project they count in. */
  credentialId?: string;
  projectId?: string;
}

export interface Authenticator {
  directory: Directory;
  now: number;
  checkToken: (token: string) => Session | undefined;
}

/** Checks the `identity` part of a request for a token. Every method it names must hold, for the same user. */
export async function authenticate(identity: Fields, parts: Authenticator): Promise<Proof> {
  const methods = optionalStrings(identity, 'methods');
  if (methods === undefined || methods.length === 0) {
    throw badRequest("'methods' must name at least one way to authenticate.");
  }
  let proof: Proof | undefined;
  for (const method of new Set(methods)) {
    const step = await authenticateBy(method, identity, parts);
    if (proof !== undefined && proof.user.id !== step.user.id) throw unauthorized();
    proof = { ...proof, ...step, methods: [...new Set([...(proof?.methods ?? []), ...step.methods])] };
  }
  if (proof === undefined || !proof.user.enabled) throw unauthorized();
  return proof;
}

async function authenticateBy(method: string, identity: Fields, parts: Authenticator): Promise<Proof> {
  const given = identity[method];
  if (!['password', 'token', 'application_credential'].includes(method)) throw unauthorized();
  if (!isObject(given)) throw badRequest(`'${method}' is named in 'methods' but is not in 'identity'.`);
  if (method === 'password') return byPassword(given, parts);
  return method === 'token' ? byToken(given, parts) : byApplicationCredential(given, parts);
}

async function byPassword(given: Fields, { directory }: Authenticator): Promise<Proof> {
  const reference = optionalObject(given, 'user');
  if (reference === undefined) throw badRequest("'password' must hold a 'user'.");
  const password = requiredString(reference, 'password');
  const user = findUser(reference, directory);
  if (user === undefined || !(await verifySecret(password, user.passwordHash))) throw unauthorized();
  return { user, methods: ['password'] };
}

/** A token may be exchanged for one of another scope; the new one ends when the old one would have. */
function byToken(given: Fields, { checkToken }: Authenticator): Proof {
  const session = checkToken(requiredString(given, 'id'));
  if (session === undefined) throw unauthorized();
  if (session.credential !== undefined) {
    throw forbidden(
      'You are not authorized to perform the requested action: ' +
        "Using method 'application_credential' is not allowed for requesting a token of another scope.",
    );
  }
  const { claims, user } = session;
  return {
    user,
    methods: [...new Set(['token', ...claims.methods])],
    notAfter: claims.expiresAt,
    auditChain: claims.auditIds.at(-1),
  };
}

async function byApplicationCredential(given: Fields, { directory, now }: Authenticator): Promise<Proof> {
  const secret = requiredString(given, 'secret');
  const credential = findCredential(given, directory);
  const user = credential === undefined ? undefined : directory.users.get(credential.user_id);
  if (credential === undefined || user === undefined) throw unauthorized();
  if (credential.expiresAt !== undefined && credential.expiresAt <= now) throw unauthorized();
  if (!(await verifySecret(secret, credential.secretHash))) throw unauthorized();
  return {
    user,
    methods: ['application_credential'],
    notAfter: credential.expiresAt,
    credentialId: credential.id,
    projectId: credential.project_id,
  };
}

function findCredential(given: Fields, directory: Directory): ApplicationCredential | undefined {
  const id = optionalString(given, 'id');
  if (id !== undefined) return directory.credentials.get(id);
  const name = requiredString(given, 'name');
  const owner = optionalObject(given, 'user');
  if (owner === undefined) throw badRequest("An application credential given by name needs its 'user' too.");
  const user = findUser(owner, directory);
  return directory.credentials.find(
    (credential) => credential.name === name && credential.user_id === user?.id,
  );
}

function findUser(reference: Fields, directory: Directory): User | undefined {
  const id = optionalString(reference, 'id');
  if (id !== undefined) return directory.users.get(id);
  const name = requiredString(reference, 'name');
  return directory.userByName(name, findDomainId(domainOf(reference, 'user'), directory));
}
