import { create } from 'zustand';

/** What is asked about before it is done to clients. */
export type AskedAction = 'adjust' | 'disable' | 'reset' | 'attach' | 'detach' | 'group' | 'plan' | 'delete';

interface Asked {
  action: AskedAction;
  emails: readonly string[];
  /** Told once it was done. */
  onDone?: (() => void) | undefined;
}

interface ActionState {
  asked: Asked | null;
  ask: (action: AskedAction, emails: readonly string[], onDone?: () => void) => void;
  close: () => void;
}

/** The question about clients that is open: the same dialogs serve the list, the drawer and the groups. */
export const useActions = create<ActionState>((set) => ({
  asked: null,
  ask: (action, emails, onDone) => set({ asked: { action, emails, onDone } }),
  close: () => set({ asked: null }),
}));
