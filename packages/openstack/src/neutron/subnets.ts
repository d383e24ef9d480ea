import { asFindResult, findOne, looksLikeUuid, pickByIdOrName } from '../find.ts';
import type { FindResult } from '../find.ts';
import type { Answer } from '../http/answer.ts';
import { listAll } from '../list.ts';
import type { Session } from '../session.ts';

export interface Subnet {
  readonly id: string;
  readonly name: string;
  readonly networkId: string;
  readonly cidr: string;
  readonly ipVersion: 4 | 6;
}

function readSubnet(raw: Answer): Subnet {
  return {
    id: raw.text('id'),
    name: raw.text('name'),
    networkId: raw.text('network_id'),
    cidr: raw.text('cidr'),
    ipVersion: raw.number('ip_version') === 6 ? 6 : 4,
  };
}

export async function findSubnet(session: Session, idOrName: string): Promise<FindResult<Subnet>> {
  if (looksLikeUuid(idOrName)) {
    const byId = await findOne(session, 'network', ['subnets', idOrName], (answer) =>
      readSubnet(answer.object('subnet')),
    );
    if (byId.kind !== 'not-found') return byId;
  }
  return asFindResult(async () => {
    const filter = new URLSearchParams({ name: idOrName });
    const subnets = await listAll(session, 'network', '/subnets', 'subnets', filter);
    return pickByIdOrName(
      subnets.map((raw) => readSubnet(raw)),
      idOrName,
    );
  });
}
