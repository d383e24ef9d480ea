import { findOne } from '../find.ts';
import type { FindResult } from '../find.ts';
import type { Session } from '../session.ts';

export interface Keypair {
  readonly name: string;
  readonly publicKey: string;
  readonly fingerprint: string;
}

/** Key pairs belong to a user, not to a project, and their name is their id. */
export function getKeypair(session: Session, name: string): Promise<FindResult<Keypair>> {
  return findOne(session, 'compute', ['os-keypairs', name], (answer) => {
    const raw = answer.object('keypair');
    return {
      name: raw.text('name'),
      publicKey: raw.text('public_key'),
      fingerprint: raw.text('fingerprint'),
    };
  });
}
