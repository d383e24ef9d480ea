import { randomBytes } from 'node:crypto';

import { unauthorized } from '../../http/api-error.ts';
import type { Cloud } from '../../http/service.ts';
import type { Collection } from '../../store/collection.ts';
import type { Directory } from '../directory.ts';
import type { Proof } from './authenticate.ts';
import type { Scope } from './scope.ts';
import { openToken, sealToken, TOKEN_KEY_LENGTH } from './seal.ts';
import type { TokenClaims } from './seal.ts';
import { openSession } from './session.ts';
import type { Session } from './session.ts';

interface Revocation {
  expiresAt: number;
}

// How long after its end a token may still be shown to a service that finishes a long task for its owner.
const EXPIRED_WINDOW_MS = 48 * 60 * 60 * 1000;

/** Issues, checks and revokes tokens. */
export class TokenOffice {
  readonly #cloud: Cloud;
  readonly #directory: Directory;
  readonly #lifetimeMs: number;
  readonly #key: Buffer;
  readonly #revocations: Collection<Revocation>;

  private constructor(cloud: Cloud, directory: Directory, lifetimeMs: number, key: Buffer) {
    this.#cloud = cloud;
    this.#directory = directory;
    this.#lifetimeMs = lifetimeMs;
    this.#key = key;
    this.#revocations = cloud.objects.collection<Revocation>('identity.revocation');
  }

  /** Opens the office with the key that the cloud keeps, made at its first start. */
  static async open(cloud: Cloud, directory: Directory, lifetimeSeconds: number): Promise<TokenOffice> {
    const keys = cloud.objects.collection<string>('identity.token-key');
    const kept = keys.get('current');
    const key = kept ?? randomBytes(TOKEN_KEY_LENGTH).toString('base64url');
    if (kept === undefined) await keys.put('current', key);
    return new TokenOffice(cloud, directory, lifetimeSeconds * 1000, Buffer.from(key, 'base64url'));
  }

  /** A new token for someone who has proved who they are; refused when they have no role where they want to go. */
  issue(proof: Proof, scope: Scope): { token: string; session: Session } {
    const issuedAt = this.#cloud.now();
    // Whole seconds, since that is all the answer shows and clients compare with it.
    const latest = Math.floor((issuedAt + this.#lifetimeMs) / 1000) * 1000;
    const auditId = randomBytes(16).toString('base64url');
    const claims: TokenClaims = {
      userId: proof.user.id,
      methods: proof.methods,
      scope,
      auditIds: proof.auditChain === undefined ? [auditId] : [auditId, proof.auditChain],
      issuedAt,
      expiresAt: Math.min(latest, proof.notAfter ?? latest),
      credentialId: proof.credentialId,
    };
    const session = openSession(claims, this.#directory);
    if (session === undefined) throw unauthorized();
    return { token: sealToken(claims, this.#key), session };
  }

  /** The session of a token that counts now; undefined when it is expired, revoked, forged or absent. */
  check(token: string | undefined, allowExpired = false): Session | undefined {
    const claims = token === undefined ? undefined : openToken(token, this.#key);
    if (claims === undefined) return undefined;
    const end = allowExpired ? claims.expiresAt + EXPIRED_WINDOW_MS : claims.expiresAt;
    if (this.#cloud.now() >= end) return undefined;
    if (claims.auditIds[0] === undefined || this.#revocations.get(claims.auditIds[0]) !== undefined) {
      return undefined;
    }
    return openSession(claims, this.#directory);
  }

  async revoke(session: Session): Promise<void> {
    const [auditId] = session.claims.auditIds;
    if (auditId === undefined) return;
    await this.#revocations.put(auditId, { expiresAt: session.claims.expiresAt });
  }

  /** Forgets revocations of tokens that nobody could use any more. */
  async forgetOldRevocations(): Promise<void> {
    const now = this.#cloud.now();
    for (const [auditId, { expiresAt }] of this.#revocations.entries()) {
      if (expiresAt + EXPIRED_WINDOW_MS < now) await this.#revocations.delete(auditId);
    }
  }
}
