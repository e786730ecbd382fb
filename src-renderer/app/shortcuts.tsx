import { getHotkeyHandler, useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect, useRef } from 'react';
import { laterDialog } from '../ui/notices/later.tsx';
import { NAVIGATION } from './navigation.ts';
import { useOpenPage } from '../forms/leave-blocker.tsx';

const ShortcutList = laterDialog(async () => (await import('./shortcut-list.tsx')).ShortcutList);

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
      if (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const page = NAVIGATION.find(({ key }) => key === event.key);
      if (event.timeStamp - startedAt.current < SEQUENCE_MS && page !== undefined) {
        startedAt.current = -Infinity;
        openPage(page.path);
      } else if (event.key === 'g') startedAt.current = event.timeStamp;
      else if (event.key === '/') {
        document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
        event.preventDefault();
      }
    };
    const handleHelp = getHotkeyHandler([['shift+?', open]]);
    const handleBoth = (event: KeyboardEvent): void => {
      handleKey(event);
      if (!(event.target instanceof HTMLInputElement)) handleHelp(event);
    };
    document.addEventListener('keydown', handleBoth);
    return () => document.removeEventListener('keydown', handleBoth);
  }, [openPage, open]);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <ShortcutList onClose={close} />
    </Suspense>
  );
}
