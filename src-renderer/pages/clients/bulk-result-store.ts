import { create } from 'zustand';
import type * as z from 'zod';
import type { SessionReport } from '#contract/traffic';
import { reasonWords } from '../../i18n/refusal-words.ts';

type SkippedItem = { email: string } & Parameters<typeof reasonWords>[0];

export interface BulkResult {
  done: number;
  skipped: readonly { email: string; reason: string }[];
  /** Whom the deed named. */
  emails?: readonly string[];
  /** What was done about their open connections; absent when nobody was connected. */
  report?: z.infer<typeof SessionReport> | undefined;
}

interface BulkResultState {
  result: BulkResult | null;
  /** The reasons are told in the language on show. */
  show: (result: Omit<BulkResult, 'skipped'> & { skipped: readonly SkippedItem[] }) => void;
  close: () => void;
}

/** What the last bulk change came to, until it is put away. */
export const useBulkResult = create<BulkResultState>((set) => ({
  result: null,
  show: ({ skipped, ...result }) =>
    set({ result: { ...result, skipped: skipped.map((one) => ({ email: one.email, reason: reasonWords(one) })) } }),
  close: () => set({ result: null }),
}));
