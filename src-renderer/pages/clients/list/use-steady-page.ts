import { useState } from 'react';
import type { ClientPage } from '#contract/clients/list';
import { countMoves, steadyRows } from './steady-rows.ts';

interface SteadyPage {
  page: ClientPage;
  /** Rows that would come, go or move if the list were brought up to date. */
  waiting: number;
  refresh: () => void;
}

/**
 * Nothing moves under a selection: while `isHeld`, a page of the same `place` keeps its rows in their order, with new figures,
 * until it is asked for the newer ones.
 */
export function useSteadyPage(newest: ClientPage, place: string, isHeld: boolean): SteadyPage {
  const [kept, keep] = useState({ page: newest, place });
  const isSteady = isHeld && kept.place === place;
  const waiting = isSteady ? countMoves(kept.page.items, newest.items) : 0;
  const refresh = (): void => keep({ page: newest, place });
  // Derived while rendering, as React has it: what may move is shown at once.
  if (waiting === 0 && (kept.page !== newest || kept.place !== place)) refresh();
  if (waiting === 0) return { page: newest, waiting, refresh };
  return { page: { ...newest, items: steadyRows(kept.page.items, newest.items) }, waiting, refresh };
}
