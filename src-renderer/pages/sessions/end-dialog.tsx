import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endLiveSessions } from '#contract/liveSessions';
import { endSessions, type SessionChoice } from '#contract/traffic';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { FirstNames } from '../../ui/first-names.tsx';
import { SessionChoiceField } from '../clients/actions/session-choice-field.tsx';
import { useShowResult } from '../clients/actions/use-show-result.ts';
import { DialogFrame } from '../clients/dialog-frame.tsx';

interface EndDialogProps {
  /** Null = all sessions that match the filter. */
  emails: readonly string[] | null;
  filter: { q: string; guid: string; inbound: number };
  count: number;
  onClose: () => void;
  onDone: () => void;
}

/** Ends open sessions. Clients may connect again at once; disable a client to keep it out. */
export function EndDialog({ emails, filter, count, onClose, onDone }: EndDialogProps) {
  const { t } = useTranslation(['sessions', 'words']);
  const one = useChange(endSessions, [keys.clients]);
  const all = useChange(endLiveSessions, [keys.clients]);
  const showResult = useShowResult();
  const [how, setHow] = useState<SessionChoice>('cut');
  const handleSubmit = async (): Promise<void> => {
    const report =
      emails === null
        ? await all.mutateAsync({ body: { ...filter, how } })
        : await one.mutateAsync({ body: { emails: [...emails], how } });
    onDone();
    onClose();
    showResult(t('ended', { count: report.connections }), {
      done: report.connections,
      skipped: [],
      emails: emails ?? [],
      report,
      undo: undefined,
    });
  };
  return (
    <DialogFrame
      title={t('end.title', { count })}
      action={t('words:endSessions')}
      isDangerous
      error={one.error ?? all.error}
      isBusy={one.isPending || all.isPending}
      isReady={how !== 'leave'}
      onSubmit={() => void handleSubmit().catch(() => undefined)}
      onClose={onClose}
    >
      {emails !== null && <FirstNames names={emails} />}
      <Text size="sm">{t('end.text')}</Text>
      <SessionChoiceField value={how} onChange={setHow} />
    </DialogFrame>
  );
}
