import { useCallback, useEffect, useRef } from 'react';

const ROW = 'li, tr, .mantine-Paper-root';
const OPEN_MENU = '[aria-haspopup="menu"][aria-expanded="true"]';

/**
 * Where rows are known by their place, the focus goes along with one that moves, so that it can be moved on.
 * @returns to be called as the row with the focus, or with an open menu, moves by so many places
 */
export function useFocusAlong(): (by: number) => void {
  const next = useRef<{ row: Element; button: number } | null>(null);
  useEffect(() => {
    if (next.current === null) return;
    const { row, button } = next.current;
    next.current = null;
    const buttons = [...row.querySelectorAll('button')];
    // The first row cannot move up, nor the last one down.
    const place = [button, button + 1, button - 1].find((at) => buttons[at]?.disabled === false);
    if (place !== undefined) buttons[place]?.focus();
  });
  return useCallback((by: number) => {
    const pressed = document.querySelector(OPEN_MENU) ?? document.activeElement;
    const from = pressed?.closest(ROW);
    const rows = [...(from?.parentElement?.children ?? [])];
    const row = rows.at(rows.indexOf(from!) + by);
    const button = [...(from?.querySelectorAll('button') ?? [])].findIndex((one) => one === pressed);
    if (row !== undefined && button !== -1) next.current = { row, button };
  }, []);
}
