import { Kbd, Modal, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NAVIGATION } from './navigation.ts';

/** The shortcuts of every page, as a dialog. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const lines: [string, string][] = [
    ['Ctrl K', t('palette.label')],
    ['?', t('shortcuts.title')],
    ...NAVIGATION.map(({ key, name }): [string, string] => [`g ${key}`, t(name)]),
    ['Ctrl S', t('save')],
    ['/', t('shortcuts.search')],
    ['Space', t('shortcuts.select')],
    ['Enter', t('shortcuts.open')],
    ['e', t('shortcuts.edit')],
    ['Del', t('shortcuts.delete')],
  ];
  return (
    <Modal opened onClose={onClose} title={t('shortcuts.title')}>
      <Table>
        <Table.Tbody>
          {lines.map(([keysText, text]) => (
            <Table.Tr key={keysText}>
              <Table.Th scope="row">
                <Kbd>{keysText}</Kbd>
              </Table.Th>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
