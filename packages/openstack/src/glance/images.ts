import { asFindResult, findOne, looksLikeUuid, pickByIdOrName } from '../find.ts';
import type { FindResult } from '../find.ts';
import type { Answer } from '../http/answer.ts';
import { listAll } from '../list.ts';
import type { Session } from '../session.ts';

export interface Image {
  readonly id: string;
  readonly name: string | null;
  /** `active` when it can be booted. */
  readonly status: string;
  readonly osDistro: string | null;
  readonly minDiskGiB: number;
  readonly minRamMiB: number;
  /** Everything with a text value, Glance's own attributes and the operator's properties alike. */
  readonly properties: Readonly<Record<string, string>>;
}

function readImage(raw: Answer): Image {
  return {
    id: raw.text('id'),
    name: raw.textOrNull('name'),
    status: raw.text('status'),
    osDistro: raw.textOrNull('os_distro'),
    minDiskGiB: raw.has('min_disk') ? raw.number('min_disk') : 0,
    minRamMiB: raw.has('min_ram') ? raw.number('min_ram') : 0,
    properties: raw.allTexts(),
  };
}

async function imagesNamed(session: Session, name: string, hidden: boolean): Promise<Image[]> {
  const filter = new URLSearchParams({ name });
  if (hidden) filter.set('os_hidden', 'true');
  const images = await listAll(session, 'image', '/images', 'images', filter);
  return images.map((raw) => readImage(raw));
}

/** Hidden images are old releases that existing clusters may still name: they are found, but only after all others. */
export async function findImage(session: Session, idOrName: string): Promise<FindResult<Image>> {
  if (looksLikeUuid(idOrName)) {
    const byId = await findOne(session, 'image', ['images', idOrName], readImage);
    if (byId.kind !== 'not-found') return byId;
  }
  return asFindResult(async () => {
    // Glance reads operators such as "in:a,b" in a filter, hence the comparison here as well.
    const visible = pickByIdOrName(await imagesNamed(session, idOrName, false), idOrName);
    if (visible.kind !== 'not-found') return visible;
    return pickByIdOrName(await imagesNamed(session, idOrName, true), idOrName);
  });
}
