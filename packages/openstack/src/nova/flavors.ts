import { asFindResult, findOne, looksLikeUuid, pickByIdOrName } from '../find.ts';
import type { FindResult } from '../find.ts';
import type { Answer } from '../http/answer.ts';
import { listAll } from '../list.ts';
import type { Session } from '../session.ts';

export interface Flavor {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  readonly ramMiB: number;
  /** Root disk; zero means that the server boots from a volume or takes the size of the image. */
  readonly diskGiB: number;
  readonly isPublic: boolean;
}

function readFlavor(raw: Answer): Flavor {
  return {
    id: raw.text('id'),
    name: raw.text('name'),
    vcpus: raw.number('vcpus'),
    ramMiB: raw.number('ram'),
    diskGiB: raw.number('disk'),
    isPublic: raw.flag('os-flavor-access:is_public', true),
  };
}

export async function listFlavors(session: Session): Promise<Flavor[]> {
  const flavors = await listAll(session, 'compute', '/flavors/detail', 'flavors');
  return flavors.map((raw) => readFlavor(raw));
}

/** Nova cannot filter flavors by name, so a name costs the list; what has the form of an id is tried as one first. */
export async function findFlavor(session: Session, idOrName: string): Promise<FindResult<Flavor>> {
  if (looksLikeUuid(idOrName) || /^\d+$/.test(idOrName)) {
    const byId = await findOne(session, 'compute', ['flavors', idOrName], (answer) =>
      readFlavor(answer.object('flavor')),
    );
    if (byId.kind !== 'not-found') return byId;
  }
  return asFindResult(async () => pickByIdOrName(await listFlavors(session), idOrName));
}
