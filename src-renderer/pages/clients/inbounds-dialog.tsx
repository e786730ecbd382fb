import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkAttachClients, bulkDetachClients } from '#contract/clients';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { useBulkResult } from './bulk-result-store.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { InboundPicker } from './inbound-picker.tsx';

interface InboundsDialogProps {
  deed: 'attach' | 'detach';
  emails: readonly string[];
  onClose: () => void;
}

const ROOTS = [keys.clients, keys.inbounds];

/** Puts the named clients on inbounds, or takes them off. */
export function InboundsDialog({ deed, emails, onClose }: InboundsDialogProps) {
  const { t } = useTranslation('clientTools');
  const attach = useChange(bulkAttachClients, ROOTS);
  const detach = useChange(bulkDetachClients, ROOTS);
  const show = useBulkResult((state) => state.show);
  const [inboundIds, setInboundIds] = useState<string[]>([]);
  const body = { emails: [...emails], inboundIds: inboundIds.map(Number) };
  const handleDone = (
    done: readonly string[],
    skipped: readonly string[],
    refused: readonly string[],
    leftOpen = 0,
  ) => {
    const unchanged = skipped.map((email) => ({ email, reason: t('inbounds.unchanged') }));
    show({ done: done.length, skipped: [...unchanged, ...refused.map((reason) => ({ email: '', reason }))], leftOpen });
    onClose();
  };
  const handleSubmit = (): void => {
    if (deed === 'attach')
      attach.mutate({ body }, { onSuccess: ({ attached, skipped, errors }) => handleDone(attached, skipped, errors) });
    else
      detach.mutate(
        { query: { sessions: 'cut' }, body },
        {
          onSuccess: ({ detached, skipped, errors, sessionReport }) =>
            handleDone(detached, skipped, errors, sessionReport?.leftCount ?? 0),
        },
      );
  };
  return (
    <DialogFrame
      title={t(`placing.${deed}.title`, { count: emails.length })}
      deed={t(`placing.${deed}.deed`)}
      error={attach.error ?? detach.error}
      isBusy={attach.isPending || detach.isPending}
      isReady={inboundIds.length > 0}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <InboundPicker label={t('inbounds.label')} value={inboundIds} onChange={setInboundIds} />
      <Text size="sm" c="dimmed">
        {t(`placing.${deed}.hint`)}
      </Text>
    </DialogFrame>
  );
}
