import { create } from 'zustand';

/** What is asked about before it is done to clients. */
export type AskedDeed = 'adjust' | 'disable' | 'reset' | 'attach' | 'detach' | 'group' | 'delete';

interface Asked {
  deed: AskedDeed;
  emails: readonly string[];
  /** Told once it was done. */
  onDone?: (() => void) | undefined;
}

interface DeedState {
  asked: Asked | null;
  ask: (deed: AskedDeed, emails: readonly string[], onDone?: () => void) => void;
  close: () => void;
}

/** The question about clients that is open: the same dialogs serve the list, the drawer and the groups. */
export const useDeeds = create<DeedState>((set) => ({
  asked: null,
  ask: (deed, emails, onDone) => set({ asked: { deed, emails, onDone } }),
  close: () => set({ asked: null }),
}));
