import { FileInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { importClients } from '#contract/clients/bulk';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useBulkResult } from './bulk-result-store.ts';
import { DialogFrame } from '../dialog-frame.tsx';
import { importParts } from './import-parts.ts';
import { Hint } from '../../../ui/layout/hint.tsx';

/** Takes clients over from a file that an export made; names that exist stay as they are. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['clientTools', 'words']);
  const take = useChange(importClients, [keys.clients, keys.groups, keys.plans, keys.inbounds]);
  const show = useBulkResult((state) => state.show);
  const [file, setFile] = useState<File | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const handleSubmit = async (): Promise<void> => {
    // Browsers do not read a file that was changed since it was chosen.
    const text = await file?.text().catch(() => null);
    setUnreadable(text === null);
    if (text === undefined || text === null) return;
    let done = 0;
    const skipped: Parameters<typeof show>[0]['skipped'][number][] = [];
    try {
      for (const data of importParts(text)) {
        const part = await take.mutateAsync({ body: { data } });
        done += part.created;
        for (const item of part.skipped) skipped.push(item);
      }
    } catch {
      // The dialog says why. Those added before are there, and the next try leaves them alone.
      return;
    }
    show({ done, skipped });
    onClose();
  };
  return (
    <DialogFrame
      title={t('import.title')}
      action={t('words:import')}
      error={isUnreadable ? new Error(t('import.unreadable')) : take.error}
      isBusy={take.isPending}
      job="importClients"
      isReady={file !== null}
      isDirty={file !== null}
      onSubmit={() => void handleSubmit()}
      onClose={onClose}
    >
      <FileInput label={t('import.file')} accept="application/json,.json" value={file} onChange={setFile} clearable />
      <Hint>{t('import.hint')}</Hint>
    </DialogFrame>
  );
}
