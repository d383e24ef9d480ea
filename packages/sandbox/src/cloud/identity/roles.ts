/** Who has the role on the left has those on the right too, and what they imply in turn. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  admin: ['manager'],
  manager: ['member'],
  member: ['reader'],
};

/** The roles a new Keystone is born with. */
export const BOOTSTRAP_ROLES = ['admin', 'manager', 'member', 'reader', 'service'] as const;

/** Role names together with all that they imply, each once, in the order of implication. */
export function withImplied(names: Iterable<string>): string[] {
  const all = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (all.has(name)) continue;
    all.add(name);
    if (Object.hasOwn(IMPLIED, name)) waiting.push(...(IMPLIED[name] ?? []));
  }
  return [...all];
}
