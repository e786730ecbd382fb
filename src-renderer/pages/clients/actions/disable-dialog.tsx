import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionChoice } from '#contract/traffic';
import { DialogFrame } from '../dialog-frame.tsx';
import { FirstNames } from '../../../ui/first-names.tsx';
import { SessionChoiceField } from './session-choice-field.tsx';
import { useSwitchClients } from './use-switch-clients.ts';

/** Disables clients; asks what becomes of what they have open. */
export function DisableDialog({ emails, onClose }: { emails: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('clients');
  const { disable, isBusy, error } = useSwitchClients();
  const [sessions, setSessions] = useState<SessionChoice>('cut');
  const count = emails.length;
  return (
    <DialogFrame
      title={t('disableMany.title', { count })}
      action={t('disableMany.action', { count })}
      isDangerous
      error={error}
      isBusy={isBusy}
      job="bulkDisableClients"
      isReady
      onSubmit={() => disable(emails, sessions, onClose)}
      onClose={onClose}
    >
      <FirstNames names={emails} />
      <SessionChoiceField value={sessions} onChange={setSessions} />
    </DialogFrame>
  );
}
