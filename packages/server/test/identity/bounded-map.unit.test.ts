import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedMap } from '../../src/identity/bounded-map.ts';

const key = fc.integer({ min: 0, max: 8 });
const step = fc.oneof(
  fc.record({ do: fc.constant('get'), key }),
  fc.record({ do: fc.constant('set'), key }),
  fc.record({ do: fc.constant('delete'), key }),
);

test('holds exactly the entries that were used last', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (limit, steps) => {
      const map = new BoundedMap<number, number>(limit);
      /** Keys by last use, the latest at the end. */
      let model: number[] = [];
      for (const { do: what, key } of steps) {
        const known = model.includes(key);
        const found = what === 'get' ? map.get(key) : undefined;
        expect(found).toBe(what === 'get' && known ? key : undefined);
        if (what === 'set') map.set(key, key);
        if (what === 'delete') map.delete(key);
        model = model.filter((other) => other !== key);
        if (what === 'set' || (what === 'get' && known)) model = [...model, key].slice(-limit);
        expect(map.size).toBe(model.length);
      }
    }),
  );
});
