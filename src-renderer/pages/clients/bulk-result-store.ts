import { create } from 'zustand';

export interface BulkResult {
  done: number;
  skipped: readonly { email: string; reason: string }[];
  /** Clients that may still be connected. */
  leftOpen: number;
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
