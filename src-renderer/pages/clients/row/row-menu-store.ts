import { create } from 'zustand';
import type { SlimClientRow } from '#contract/clients/list';

/** What the verbs of one client depend on. */
export type VerbClient = Pick<SlimClientRow, 'email' | 'enable' | 'totalGB' | 'expiryTime'>;

interface OpenMenu {
  client: VerbClient;
  /** Where it opens, in CSS pixels of the window. */
  x: number;
  y: number;
  /** What gets the focus back. */
  from: HTMLElement | null;
}

interface RowMenuState {
  /** The row it was opened for last; null before the first. */
  at: OpenMenu | null;
  isOpen: boolean;
  open: (menu: OpenMenu) => void;
  close: () => void;
}

/** The menu of a row that is open: one for the whole list, since a menu of its own would make every row dear. */
export const useRowMenu = create<RowMenuState>((set) => ({
  at: null,
  isOpen: false,
  open: (at) => set({ at, isOpen: true }),
  close: () => set({ isOpen: false }),
}));

/** Opens the menu of a row below its button, or where the row begins when a key asks for it. */
export function openRowMenu(client: VerbClient, from: HTMLElement): void {
  const anchor = from.querySelector('[data-row-menu]') ?? from;
  const { left, right, bottom } = anchor.getBoundingClientRect();
  useRowMenu.getState().open({ client, x: (left + right) / 2, y: bottom, from });
}
