import { asFindResult, findOne, looksLikeUuid, pickByIdOrName } from '../find.ts';
import type { FindResult } from '../find.ts';
import type { Answer } from '../http/answer.ts';
import { listAll } from '../list.ts';
import type { Session } from '../session.ts';

export interface Network {
  readonly id: string;
  readonly name: string;
  /** Reaches outside the cloud: routers take their gateway from it, floating IPs their addresses. */
  readonly external: boolean;
  readonly shared: boolean;
  readonly subnetIds: readonly string[];
  readonly projectId: string | null;
}

function readNetwork(raw: Answer): Network {
  return {
    id: raw.text('id'),
    name: raw.text('name'),
    external: raw.flag('router:external', false),
    shared: raw.flag('shared', false),
    subnetIds: raw.texts('subnets'),
    projectId: raw.textOrNull('project_id'),
  };
}

/** With `external`, only networks of that kind count: a private one of the same name makes nothing ambiguous. */
export async function findNetwork(
  session: Session,
  idOrName: string,
  wanted: { readonly external?: boolean } = {},
): Promise<FindResult<Network>> {
  const counts = (network: Network) => wanted.external === undefined || network.external === wanted.external;
  if (looksLikeUuid(idOrName)) {
    const byId = await findOne(session, 'network', ['networks', idOrName], (answer) =>
      readNetwork(answer.object('network')),
    );
    if (byId.kind === 'forbidden') return byId;
    if (byId.kind === 'found' && counts(byId.value)) return byId;
  }
  return asFindResult(async () => {
    const filter = new URLSearchParams({ name: idOrName });
    if (wanted.external !== undefined) filter.set('router:external', String(wanted.external));
    const networks = await listAll(session, 'network', '/networks', 'networks', filter);
    return pickByIdOrName(networks.map((raw) => readNetwork(raw)).filter(counts), idOrName);
  });
}
