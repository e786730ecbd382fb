import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect, useRef } from 'react';
import { latinKey } from '../ui/latin-key.ts';
import { laterDialog } from '../ui/notices/later.tsx';
import { NAVIGATION } from './navigation.ts';
import { useOpenPage } from '../forms/leave-blocker.tsx';

const ShortcutList = laterDialog(async () => (await import('./shortcut-list.tsx')).ShortcutList);

/** What takes letters. */
const FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';
/** How long after `g` a letter still counts. */
const SEQUENCE_MS = 1_000;

/** `g` then a letter opens a page, `/` goes to its search; `?` lists the shortcuts. Fields keep their keys. */
export function ShortcutHelp() {
  const openPage = useOpenPage();
  const [isOpen, { open, close }] = useDisclosure();
  // Events count their time from the load of the page: 0 would look like a `g` pressed at load.
  const startedAt = useRef(-Infinity);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (event.target instanceof Element && event.target.closest(FIELDS)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // A form that is being saved gives up the focus: who types on means its field.
      if (document.querySelector('fieldset:disabled') !== null) return;
      const pressed = latinKey(event);
      const page = NAVIGATION.find(({ key }) => key === pressed);
      if (event.timeStamp - startedAt.current < SEQUENCE_MS && page !== undefined) {
        startedAt.current = -Infinity;
        openPage(page.path);
      } else if (pressed === 'g') startedAt.current = event.timeStamp;
      else if (pressed === '/') {
        // An open dialog keeps the focus.
        if (document.querySelector('[role="dialog"]') !== null) return;
        document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
        event.preventDefault();
      } else if (pressed === '?') {
        open();
        event.preventDefault();
      }
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [openPage, open]);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <ShortcutList onClose={close} />
    </Suspense>
  );
}
