import { Button, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { announceCoreWarnings, announceDone } from '../../../ui/notices/announce.ts';
import { confirmUndo } from '../../../ui/undo/offer-undo.ts';
import { useBulkResult } from './bulk-result-store.ts';
import { LeftSessions } from '../actions/left-sessions.tsx';
import { SkippedClients } from '../actions/skipped-clients.tsx';

/** Summary first, then who may still be connected, and who was skipped and why. */
export function BulkResultDialog() {
  const { t } = useTranslation(['clients', 'shell']);
  const format = useFormat();
  const { result, close } = useBulkResult();
  // Left with its page, it is put away.
  useEffect(() => close, [close]);
  if (result === null) return null;
  const { done, skipped, report, emails = [], changes } = result;
  const handleUndo = (): void => {
    close();
    void confirmUndo(changes, { done: announceDone, coreWarnings: announceCoreWarnings });
  };
  return (
    <Modal opened onClose={close} title={t('result.title')} size="lg">
      <Stack>
        <Text role="status">
          {t('result.summary', { done: format.number(done), skipped: format.number(skipped.length) })}
        </Text>
        {report !== undefined && report.leftCount > 0 && <LeftSessions first={report} emails={emails} />}
        {skipped.length > 0 && <SkippedClients skipped={skipped} />}
        {changes.length > 0 && (
          <DialogFooter>
            <Button variant="default" onClick={handleUndo}>
              {t('shell:undo')}
            </Button>
          </DialogFooter>
        )}
      </Stack>
    </Modal>
  );
}
