import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkAttachClients, bulkDetachClients } from '#contract/clients/bulk';
import type { SessionChoice } from '#contract/traffic';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useBulkResult, type BulkResult } from './bulk-result-store.ts';
import { DialogFrame } from '../dialog-frame.tsx';
import { SessionChoiceField } from '../actions/session-choice-field.tsx';
import { InboundPicker } from '../inbound-picker.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

interface InboundsDialogProps {
  action: 'attach' | 'detach';
  emails: readonly string[];
  onClose: () => void;
}

const ROOTS = [keys.clients, keys.inbounds];

/** Puts the named clients on inbounds, or takes them off. */
export function InboundsDialog({ action, emails, onClose }: InboundsDialogProps) {
  const { t } = useTranslation(['clientTools', 'shell']);
  const attach = useChange(bulkAttachClients, ROOTS);
  const detach = useChange(bulkDetachClients, ROOTS);
  const show = useBulkResult((state) => state.show);
  const [inboundIds, setInboundIds] = useState<string[]>([]);
  const [sessions, setSessions] = useState<SessionChoice>('cut');
  const body = { emails: [...emails], inboundIds: inboundIds.map(Number) };
  const handleDone = (
    done: readonly string[],
    skipped: readonly string[],
    refused: readonly string[],
    report?: BulkResult['report'],
  ) => {
    const unchanged = skipped.map((email) => ({ email, reason: t('inbounds.unchanged') }));
    const named = refused.map((reason) => ({ email: '', reason }));
    show({ done: done.length, skipped: [...unchanged, ...named], emails, report });
    onClose();
  };
  const handleSubmit = (): void => {
    if (action === 'attach')
      attach.mutate({ body }, { onSuccess: ({ attached, skipped, errors }) => handleDone(attached, skipped, errors) });
    else
      detach.mutate(
        { query: { sessions }, body },
        {
          onSuccess: ({ detached, skipped, errors, sessionReport }) =>
            handleDone(detached, skipped, errors, sessionReport),
        },
      );
  };
  return (
    <DialogFrame
      title={t(`placing.${action}.title`, { count: emails.length })}
      action={t(`placing.${action}.action`)}
      error={attach.error ?? detach.error}
      isBusy={attach.isPending || detach.isPending}
      job={action === 'attach' ? 'bulkAttachClients' : 'bulkDetachClients'}
      isReady={inboundIds.length > 0}
      isDirty={inboundIds.length > 0}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <InboundPicker label={t('shell:nav.inbounds')} value={inboundIds} onChange={setInboundIds} />
      <Hint>{t(`placing.${action}.hint`)}</Hint>
      {action === 'detach' && <SessionChoiceField value={sessions} onChange={setSessions} />}
    </DialogFrame>
  );
}
