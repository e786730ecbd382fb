import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { plainDigits } from '../../../forms/plain-digits.ts';

const GIB = 1024 ** 3;
/** More would not be a menu any more. */
export const MAX_AMOUNTS = 4;
const FIRST: Amounts = { days: [30], gib: [] };

/** What is added to clients most often. */
interface Amounts {
  days: readonly number[];
  /** Traffic in GiB. */
  gib: readonly number[];
}

interface AmountsState extends Amounts {
  set: (amounts: Amounts) => void;
}

/** The operator's own amounts in menus of clients; this browser remembers them. */
export const useAmounts = create<AmountsState>()(
  persist((set) => ({ ...FIRST, set: (amounts) => set(amounts) }), {
    name: 'panel.clients.amounts',
    version: 1,
    merge: (stored, current) => ({ ...current, ...known(stored) }),
  }),
);

export const gibToBytes = (gib: number): number => Math.round(gib * GIB);

/** Typed amounts as numbers: unreadable ones, doubles and those beyond `most` are left out. */
export function readAmounts(texts: readonly string[], most: number): number[] {
  const numbers = texts.map((text) =>
    Number(
      plainDigits(text)
        .trim()
        .replace(/[,\u066B]/, '.'),
    ),
  );
  const usable = numbers.filter((value) => Number.isFinite(value) && value > 0 && value <= most);
  return [...new Set(usable)].slice(0, MAX_AMOUNTS);
}

function known(stored: unknown): Partial<Amounts> {
  const { days, gib } = (stored ?? {}) as Partial<Record<string, unknown>>;
  if (!Array.isArray(days) || !Array.isArray(gib)) return {};
  return {
    days: readAmounts(days.map(String), MAX_DAYS).map(Math.round),
    gib: readAmounts(gib.map(String), MAX_GIB),
  };
}

export const MAX_DAYS = 3_650;
export const MAX_GIB = 1_000_000;
