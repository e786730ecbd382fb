import { useEffect, useMemo, useRef } from 'react';
import { requireDesktop } from '../../../api/desktop.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import type { PanelVerbs } from './panel-menu.tsx';
import { movePanel } from './panel-model.ts';

interface VerbsInput {
  /** Panels as they are shown now. */
  ids: readonly string[];
  canMove: boolean;
  setOrder: (order: string[]) => void;
  group: (id: string) => void;
}

/** What can be done with panels from here; the same object while figures change, so that cards are drawn by themselves. */
export function usePanelVerbs(input: VerbsInput): PanelVerbs {
  const latest = useRef(input);
  useEffect(() => {
    latest.current = input;
  });
  const { canMove } = input;
  return useMemo(
    () => ({
      use: (id) => void requireDesktop().panels.open({ id, path: '/panel' }).catch(announceFailure),
      refresh: (id) => void requireDesktop().panels.refresh(id).catch(announceFailure),
      group: (id) => latest.current.group(id),
      move: (id, by) => latest.current.setOrder(movePanel(latest.current.ids, id, by)),
      canMove,
    }),
    [canMove],
  );
}
