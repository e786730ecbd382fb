import { Modal, ScrollArea, Stack, Table, Text, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { useBulkResult } from './bulk-result-store.ts';

const SHOWN = 200;

/** Summary first, then who was skipped and why. */
export function BulkResultDialog() {
  const { t } = useTranslation(['clients', 'shell']);
  const format = useFormat();
  const { result, close } = useBulkResult();
  if (result === null) return null;
  const { done, skipped, leftOpen } = result;
  return (
    <Modal
      opened
      onClose={close}
      title={t('result.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        <Text role="status">
          {t('result.summary', { done: format.number(done), skipped: format.number(skipped.length) })}
        </Text>
        {leftOpen > 0 && <Text>{t('result.leftOpen', { count: leftOpen })}</Text>}
        {skipped.length > 0 && (
          <>
            <ScrollArea.Autosize
              mah={320}
              viewportProps={{ tabIndex: 0, 'aria-label': t('result.title'), role: 'region' }}
            >
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th scope="col">{t('result.email')}</Table.Th>
                    <Table.Th scope="col">{t('result.reason')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {skipped.slice(0, SHOWN).map(({ email, reason }) => (
                    <Table.Tr key={email}>
                      <Table.Td>
                        <bdi>{email}</bdi>
                      </Table.Td>
                      <Table.Td>{reason}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollArea.Autosize>
            <Textarea
              label={t('result.copy')}
              readOnly
              rows={3}
              value={skipped.map(({ email, reason }) => `${email}\t${reason}`).join('\n')}
              onFocus={(event) => event.currentTarget.select()}
            />
          </>
        )}
      </Stack>
    </Modal>
  );
}
