import { Kbd, Modal, Table } from '@mantine/core';
import { getHotkeyHandler, useDisclosure } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { NAVIGATION } from './navigation.ts';

/** How long after `g` a letter still counts. */
const SEQUENCE_MS = 1_000;

/** `g` then a letter opens a page, `/` goes to its search; `?` lists the shortcuts. Fields keep their keys. */
export function ShortcutHelp() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
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
        void navigate(page.path);
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
  }, [navigate, open]);
  const lines: [string, string][] = [
    ['Ctrl K', t('palette.label')],
    ['?', t('shortcuts.title')],
    ...NAVIGATION.map(({ key, name }): [string, string] => [`g ${key}`, t(name)]),
    ['/', t('shortcuts.search')],
    ['Space', t('shortcuts.select')],
    ['Enter', t('shortcuts.open')],
    ['e', t('shortcuts.edit')],
    ['Del', t('shortcuts.delete')],
  ];
  return (
    <Modal opened={isOpen} onClose={close} title={t('shortcuts.title')}>
      <Table>
        <Table.Tbody>
          {lines.map(([keysText, text]) => (
            <Table.Tr key={keysText}>
              <Table.Td>
                <Kbd>{keysText}</Kbd>
              </Table.Td>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
