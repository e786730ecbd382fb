import { create } from 'zustand';
import type * as z from 'zod';
import type { SessionReport } from '#contract/traffic';

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
  show: (result: BulkResult) => void;
  close: () => void;
}

/** What the last bulk change came to, until it is put away. */
export const useBulkResult = create<BulkResultState>((set) => ({
  result: null,
  show: (result) => set({ result }),
  close: () => set({ result: null }),
}));
