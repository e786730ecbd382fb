import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupKeyState } from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';

const SHORTEST = 8;
const LONGEST = 1_024;

/** Where the system has no key store, backups are sealed with a passphrase: set once, entered after each start. */
export function BackupKeyNotice({ state, onChange }: { state: BackupKeyState; onChange: () => void }) {
  const { t } = useTranslation('backups');
  const [first, setFirst] = useState('');
  const [again, setAgain] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (state === 'system' || state === 'passphrase') return null;
  const isNew = state === 'none';
  const handleSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isNew && first.length < SHORTEST) return setFailure(t('key.short', { count: SHORTEST }));
    if (isNew && first !== again) return setFailure(t('key.differ'));
    setBusy(true);
    try {
      await requireDesktop().maintenance.usePassphrase(first);
      setFailure(null);
      onChange();
    } catch (error) {
      setFailure(isNew ? (error as Error).message : t('key.wrong'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Alert color="yellow" title={t(`key.${state}Title`)}>
      <form onSubmit={(event) => void handleSubmit(event)}>
        <Stack gap="xs">
          <Text size="sm">{t(`key.${state}Text`)}</Text>
          <Group align="start">
            <PasswordInput
              w={260}
              label={t('key.passphrase')}
              maxLength={LONGEST}
              value={first}
              error={failure}
              autoComplete="off"
              onChange={(event) => setFirst(event.currentTarget.value)}
            />
            {isNew && (
              <PasswordInput
                w={260}
                label={t('key.again')}
                value={again}
                autoComplete="off"
                onChange={(event) => setAgain(event.currentTarget.value)}
              />
            )}
            <Button type="submit" mt={24} loading={isBusy}>
              {t(isNew ? 'key.set' : 'key.enter')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Alert>
  );
}
