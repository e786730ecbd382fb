import { useEffect, useMemo, useRef } from 'react';
import { requireDesktop } from '../../../api/desktop.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import type { PanelVerbs } from './panel-menu.tsx';
import { movePanel, type ShownPanel } from './panel-model.ts';

interface VerbsInput {
  /** In the order shown. */
  panels: readonly ShownPanel[];
  canMove: boolean;
  setOrder: (order: string[]) => void;
  group: (id: string) => void;
}

/** Actions on panels; the object keeps its identity while figures change, so that cards do not render again. */
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
      move: (id, by) => latest.current.setOrder(movePanel(latest.current.panels, id, by)),
      canMove,
    }),
    [canMove],
  );
}
