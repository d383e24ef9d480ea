import type { Kind } from './kinds.ts';
import { Mismatch } from './kinds.ts';

const timeUnits: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const sizeUnits: Record<string, number> = {
  b: 1,
  k: 1_000,
  kb: 1_000,
  kib: 1_024,
  m: 1_000_000,
  mb: 1_000_000,
  mib: 1_048_576,
  g: 1_000_000_000,
  gb: 1_000_000_000,
  gib: 1_073_741_824,
};

interface Measure {
  placeholder: string;
  units: Record<string, number>;
  /** The unit of a bare number. */
  bare: string;
  example: string;
}

function measured(measure: Measure, range: { least: number; most: number }): Kind<number> {
  const show = (amount: number) => {
    const fitting = Object.entries(measure.units)
      .filter(([, factor]) => amount % factor === 0 && factor <= Math.max(amount, 1))
      .sort(([, one], [, other]) => other - one)[0];
    const [unit, factor] = fitting ?? ['', 1];
    return `${amount / factor}${unit}`;
  };
  return {
    placeholder: measure.placeholder,
    parse(given) {
      const written = typeof given === 'number' || typeof given === 'string' ? String(given).trim() : '';
      const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(written) ?? [];
      const factor = measure.units[(unit || measure.bare).toLowerCase()];
      if (digits === undefined || factor === undefined) {
        throw new Mismatch(`is not a ${measure.placeholder.toLowerCase()} such as ${measure.example}`);
      }
      const amount = Math.round(Number(digits) * factor);
      if (amount < range.least || amount > range.most) {
        throw new Mismatch(`is not between ${show(range.least)} and ${show(range.most)}`);
      }
      return amount;
    },
    show,
  };
}

/** Milliseconds; a bare number counts seconds. */
export function duration(range: { least: number; most: number }): Kind<number> {
  return measured(
    { placeholder: 'DURATION', units: timeUnits, bare: 's', example: '500ms, 30s or 5m' },
    range,
  );
}

/** Bytes, also for a bare number. */
export function size(range: { least: number; most: number }): Kind<number> {
  return measured(
    { placeholder: 'SIZE', units: sizeUnits, bare: 'b', example: '65536, 512KiB or 1MiB' },
    range,
  );
}
