import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { LockView } from '../../src-main/bridge/lock.ts';
import { requireDesktop } from '../api/desktop.ts';

interface PassphraseFormProps {
  view: LockView;
  action: string;
  onOpen: () => void;
}

/** Asks for the window's passphrase; after wrong ones the next try waits. */
export function PassphraseForm({ view, action, onOpen }: PassphraseFormProps) {
  const { t } = useTranslation('lock');
  const [passphrase, setPassphrase] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [waitMs, setWait] = useState(view.waitMs);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (waitMs <= 0) return undefined;
    const timer = setTimeout(() => setWait(Math.max(0, waitMs - 1_000)), Math.min(waitMs, 1_000));
    return () => clearTimeout(timer);
  }, [waitMs]);

  const submit = async (given: string): Promise<void> => {
    setBusy(true);
    try {
      const { ok, waitMs: nextMs } = await requireDesktop().lock.authenticate(given);
      if (ok) return onOpen();
      setFailure(t('wrong'));
      setWait(nextMs);
      setPassphrase('');
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (passphrase !== '' && waitMs <= 0) void submit(passphrase);
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        <PasswordInput
          label={t('passphrase')}
          value={passphrase}
          error={waitMs > 0 ? t('wait', { count: Math.ceil(waitMs / 1_000) }) : failure}
          autoComplete="off"
          data-autofocus
          autoFocus
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          {view.usesSystem && (
            <Button variant="default" disabled={isBusy} onClick={() => void submit('')}>
              {t('bySystem')}
            </Button>
          )}
          <Button type="submit" loading={isBusy} disabled={passphrase === '' || waitMs > 0}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
