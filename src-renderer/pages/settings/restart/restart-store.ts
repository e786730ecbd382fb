import { create } from 'zustand';
import type { Place } from './next-address.ts';

/**
 * `needed` = saved changes wait for a restart; `running` = requested, not back yet; `slow` = longer than it should
 * take; `moved` = the old address is gone, the new one is being opened; `back` and `stayed` = it answers again,
 * `stayed` where another address was expected.
 */
type Phase = 'idle' | 'needed' | 'running' | 'slow' | 'moved' | 'back' | 'stayed';

interface PanelRestart {
  phase: Phase;
  /** Address of this page after the restart; null = the same. */
  target: string | null;
  /** Ms since the epoch; 0 before the first restart. */
  startedAt: number;
  /** Settings that the running panel was started with, while later ones wait for a restart; null = the stored ones. */
  running: Place | null;
  /** Records a saved change that waits, the values in force before it, and where the restart will move the page. */
  need: (before: Place, target: string | null) => void;
  begin: (nowMs: number) => void;
  /** The panel moves no further. */
  stay: () => void;
  /** Sets the next phase of the restart under way. */
  reach: (phase: Phase) => void;
}

/** The panel's restart as this window sees it; available on every page, and kept through the restart. */
export const usePanelRestart = create<PanelRestart>((set) => ({
  phase: 'idle',
  target: null,
  startedAt: 0,
  running: null,
  need: (before, target) => set(({ running }) => ({ phase: 'needed', target, running: running ?? before })),
  begin: (startedAt) => set({ phase: 'running', startedAt }),
  stay: () => set({ target: null }),
  reach: (phase) => set(phase === 'back' || phase === 'stayed' ? { phase, target: null, running: null } : { phase }),
}));
