import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useRestartPanel } from '../use-restart-panel.ts';

interface ReplaceFormProps {
  /** What has to be typed. */
  name: string;
  /** Replaces the database; the panel restarts by itself afterwards. */
  onReplace: (typed: string) => Promise<unknown>;
  onClose: () => void;
}

/** The last question before everything is replaced: typing, not only clicking. */
export function ReplaceForm({ name, onReplace, onClose }: ReplaceFormProps) {
  const { t } = useTranslation(['settings', 'shell']);
  const restart = useRestartPanel();
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setFailure(null);
    setBusy(true);
    // The dialog closes as soon as the database waits: the restart is told by the page itself.
    restart(async () => {
      await onReplace(typed.trim());
      onClose();
    })
      .catch(setFailure)
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        {failure !== null && (
          <Alert color="red" role="alert">
            <bdi>{failure.message}</bdi>
          </Alert>
        )}
        <TextInput
          label={t('import.type', { name })}
          dir="ltr"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" color="red.9" loading={isBusy} disabled={typed.trim() !== name}>
            {t('import.deed')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
