import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { bulkResetClientTraffic } from '#contract/clients/bulk';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useBulkResult } from '../bulk/bulk-result-store.ts';
import { DialogFrame } from '../dialog-frame.tsx';
import { FirstNames } from '../../../ui/first-names.tsx';

const ROOTS = [keys.clients, keys.groups];

/** Sets the counters of clients to 0, which cannot be taken back. */
export function ResetDialog({ emails, onClose }: { emails: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('clientActions');
  const reset = useChange(bulkResetClientTraffic, ROOTS);
  const count = emails.length;
  const handleSubmit = (): void =>
    reset.mutate(
      { body: { emails: [...emails] } },
      {
        onSuccess: ({ affected }) => {
          useBulkResult.getState().show({ done: affected, skipped: [] });
          onClose();
        },
      },
    );
  return (
    <DialogFrame
      title={t('reset.title', { count })}
      action={t('reset.action', { count })}
      isDangerous
      error={reset.error}
      isBusy={reset.isPending}
      job="bulkResetClientTraffic"
      isReady
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <FirstNames names={emails} />
      <Text size="sm">{t('reset.text')}</Text>
    </DialogFrame>
  );
}
