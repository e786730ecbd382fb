import { create } from 'zustand';

/** What a dialog confirms before it is done to clients. */
export type DialogAction = 'adjust' | 'disable' | 'reset' | 'attach' | 'detach' | 'group' | 'plan' | 'delete';

interface ActionDialog {
  action: DialogAction;
  emails: readonly string[];
  /** Told once it was done. */
  onDone?: (() => void) | undefined;
}

interface ActionState {
  dialog: ActionDialog | null;
  openDialog: (action: DialogAction, emails: readonly string[], onDone?: () => void) => void;
  close: () => void;
}

/** The open dialog about clients: the same ones serve the list, the drawer and the groups. */
export const useActions = create<ActionState>((set) => ({
  dialog: null,
  openDialog: (action, emails, onDone) => set({ dialog: { action, emails, onDone } }),
  close: () => set({ dialog: null }),
}));
