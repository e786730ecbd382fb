import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TypedAction } from '../../../ui/typed-action.tsx';
import { useRestartPanel } from '../restart/use-restart-panel.ts';

interface ReplaceFormProps {
  /** The text to type. */
  name: string;
  /** Replaces the database; the panel restarts by itself afterwards. */
  onReplace: (typed: string) => Promise<unknown>;
  onClose: () => void;
}

/** The last question before the whole database is replaced. */
export function ReplaceForm({ name, onReplace, onClose }: ReplaceFormProps) {
  const { t } = useTranslation('settings');
  const restart = useRestartPanel();
  const [failure, setFailure] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const handleAction = (typed: string): void => {
    setFailure(null);
    setBusy(true);
    // The dialog closes as soon as the database is staged: the page itself reports the restart.
    restart(async () => {
      await onReplace(typed);
      onClose();
    })
      .catch(setFailure)
      .finally(() => setBusy(false));
  };
  return (
    <TypedAction
      name={name}
      label={t('import.type', { name })}
      action={t('import.action')}
      failure={failure?.message ?? null}
      isBusy={isBusy}
      onAction={handleAction}
      onCancel={onClose}
    />
  );
}
