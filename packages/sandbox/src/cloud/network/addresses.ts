/** A block of IPv4 addresses, by its first and last number. */
export interface Block {
  cidr: string;
  first: number;
  last: number;
}

export function parseAddress(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  // Not with shifts: those would make addresses above 127.255.255.255 negative.
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

export function formatAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

/** The block that `10.0.0.7/24` lies in, written with its first address as Neutron does. */
export function parseCidr(text: string): Block | undefined {
  const [address = '', length = ''] = text.split('/', 2);
  const number = parseAddress(address);
  if (number === undefined || !/^\d{1,2}$/.test(length) || Number(length) > 32) return undefined;
  const size = 2 ** (32 - Number(length));
  const first = Math.floor(number / size) * size;
  return { cidr: `${formatAddress(first)}/${Number(length)}`, first, last: first + size - 1 };
}

export function overlap(left: Block, right: Block): boolean {
  return left.first <= right.last && right.first <= left.last;
}

/** The addresses left for machines: without network, broadcast and gateway. */
export function allocationPools(block: Block, gateway: number | undefined): { start: string; end: string }[] {
  const [first, last] =
    block.last - block.first < 2 ? [block.first, block.last] : [block.first + 1, block.last - 1];
  const cuts = gateway !== undefined && gateway >= first && gateway <= last ? [gateway] : [];
  const pools =
    cuts.length === 0
      ? [[first, last]]
      : cuts.flatMap((cut) => [
          [first, cut - 1],
          [cut + 1, last],
        ]);
  return pools
    .filter(([start = 0, end = 0]) => start <= end)
    .map(([start = 0, end = 0]) => ({ start: formatAddress(start), end: formatAddress(end) }));
}
