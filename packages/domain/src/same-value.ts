/** Whether two JSON values say the same; the order of keys says nothing. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const ones = new Map(Object.entries(one));
  const others = Object.entries(other);
  return (
    others.length === ones.size &&
    others.every(([key, item]) => ones.has(key) && sameValue(ones.get(key), item))
  );
}
