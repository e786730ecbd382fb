import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { SlimClientRow } from '#contract/clients/list';
import { useActions } from '../actions/action-store.ts';
import { useSelection } from '../bulk/selection-store.ts';
import { latinKey } from '../../../ui/latin-key.ts';
import { openRowMenu } from '../row/row-menu-store.ts';

/** Rows that Page Up and Page Down go past. */
const PAGE_STEP = 10;

interface RowKeys {
  items: readonly SlimClientRow[];
  /** Of the items. */
  emails: readonly string[];
  /** Another list is entered at its first row. */
  list: string;
  onOpen: (email: string) => void;
  onEdit: (email: string) => void;
}

/** Which row of a list has the focus, and what keys do in it. `body` is where the rows stand. */
export function useRowKeys({ items, emails, list, onOpen, onEdit }: RowKeys) {
  const selection = useSelection();
  const openDialog = useActions((state) => state.openDialog);
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState(0);
  const current = Math.max(0, Math.min(focused, emails.length - 1));
  const isMoving = useRef(false);
  // The row that the keyboard goes to may exist only now.
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    focusRow(body.current, current);
  }, [current]);
  useEffect(() => setFocused(0), [list]);
  const handleFocus = useCallback((index: number) => setFocused(index), []);
  const handleKey = (event: KeyboardEvent): void => {
    // With one of these a key is the browser's.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target as HTMLElement;
    // A new list may have moved the row that has the focus.
    const at = Number(row.dataset['index']);
    const email = emails[at];
    if (email === undefined || row.closest('tr') !== row) return;
    const steps = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE_STEP,
      PageUp: -PAGE_STEP,
      Home: -at,
      End: emails.length,
    };
    const step = steps[event.key as keyof typeof steps] as number | undefined;
    if (step !== undefined) {
      const next = Math.min(Math.max(at + step, 0), emails.length - 1);
      if (event.shiftKey) selection.set(emails.slice(Math.min(at, next), Math.max(at, next) + 1), true);
      isMoving.current = next !== current;
      if (isMoving.current) setFocused(next);
      else focusRow(body.current, next);
    } else if (event.key === ' ') selection.toggle(email);
    else if (event.key === 'Enter') onOpen(email);
    else if (latinKey(event) === 'e') onEdit(email);
    else if (isMenuKey(event, latinKey(event))) openRowMenu(items[at]!, row);
    else if (event.key === 'Delete') openDialog('delete', [email]);
    else return;
    event.preventDefault();
  };
  return { current, body, handleFocus, handleKey };
}

const focusRow = (body: Element | null, index: number): void =>
  body?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)?.focus();

/** Beside the keys that every system has for the menu of what is focused, one that every keyboard has. */
const isMenuKey = ({ key, shiftKey }: KeyboardEvent, latin: string): boolean =>
  latin === 'm' || key === 'ContextMenu' || (shiftKey && key === 'F10');
