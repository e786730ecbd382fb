import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkDeleteClients } from '#contract/clients/bulk';
import type { SessionChoice } from '#contract/traffic';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useBulkResult } from '../bulk/bulk-result-store.ts';
import { DialogFrame } from '../dialog-frame.tsx';
import { useSelection } from '../bulk/selection-store.ts';
import { FirstNames } from '../../../ui/first-names.tsx';
import { SessionChoiceField } from './session-choice-field.tsx';

interface DeleteDialogProps {
  emails: readonly string[];
  onClose: () => void;
  onDone: (() => void) | undefined;
}

const ROOTS = [keys.clients, keys.groups, keys.plans, keys.inbounds];

/** Deletes clients; asks what becomes of their counters and of what they have open. */
export function DeleteDialog({ emails, onClose, onDone }: DeleteDialogProps) {
  const { t } = useTranslation(['clients', 'clientActions']);
  const remove = useChange(bulkDeleteClients, ROOTS);
  const [sessions, setSessions] = useState<SessionChoice>('cut');
  const [keepTraffic, setKeepTraffic] = useState(false);
  const count = emails.length;
  const handleSubmit = (): void =>
    remove.mutate(
      { query: { sessions }, body: { emails: [...emails], keepTraffic } },
      {
        onSuccess: ({ deleted, skipped, sessionReport }) => {
          useSelection.getState().set(emails, false);
          useBulkResult.getState().show({ done: deleted, skipped, emails, report: sessionReport });
          onClose();
          onDone?.();
        },
      },
    );
  return (
    <DialogFrame
      title={t('deleteMany.title', { count })}
      action={t('deleteMany.action', { count })}
      isDangerous
      error={remove.error}
      isBusy={remove.isPending}
      job="bulkDeleteClients"
      isReady
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <FirstNames names={emails} />
      <Text size="sm">{t('deleteMany.text')}</Text>
      <Checkbox
        label={t('clientActions:keepTraffic')}
        description={t('clientActions:keepTrafficHint')}
        checked={keepTraffic}
        onChange={(event) => setKeepTraffic(event.currentTarget.checked)}
      />
      <SessionChoiceField value={sessions} onChange={setSessions} />
    </DialogFrame>
  );
}
