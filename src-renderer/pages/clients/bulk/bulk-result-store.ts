import { create } from 'zustand';
import type * as z from 'zod';
import type { SessionReport } from '#contract/traffic';
import { takeChanges } from '../../../ui/undo/last-change.ts';
import { reasonWords } from '../../../i18n/refusal-words.ts';

type SkippedItem = { email: string } & Parameters<typeof reasonWords>[0];

export interface BulkResult {
  done: number;
  /** `kind` is the reason without the names in it: what many were left out for alike. */
  skipped: readonly { email: string; reason: string; kind: string }[];
  /** Whom the action named. */
  emails?: readonly string[];
  /** What was done about their open connections; absent when no client was connected. */
  report?: z.infer<typeof SessionReport> | undefined;
  /** Entries of the journal that can be taken back, oldest first. */
  changes: readonly number[];
}

/** As a call answers it. */
export type ShownResult = Omit<BulkResult, 'skipped' | 'changes'> & { skipped: readonly SkippedItem[] };

interface BulkResultState {
  result: BulkResult | null;
  /** The reasons are told in the language on show. */
  show: (result: ShownResult) => void;
  close: () => void;
}

/** The words with a dash for every name in them. */
function kindOf({ email, params = {} }: SkippedItem, words: string): string {
  const names = [email, ...Object.values(params)].filter((name) => typeof name === 'string' && name !== '');
  return names.reduce<string>((text, name) => text.replaceAll(String(name), '…'), words);
}

/** What the last bulk change came to, until it is put away. */
export const useBulkResult = create<BulkResultState>((set) => ({
  result: null,
  show: ({ skipped, ...result }) =>
    set({
      result: {
        ...result,
        changes: takeChanges(),
        skipped: skipped.map((one) => {
          const reason = reasonWords(one);
          return { email: one.email, reason, kind: kindOf(one, reason) };
        }),
      },
    }),
  close: () => set({ result: null }),
}));
