import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportPlan } from '#contract/import';
import { Failure } from '../../../ui/notices/failure.tsx';

interface KeysOfBackupProps {
  certificates: ImportPlan['certificates'];
  /** Why the last passphrase did not open them. */
  failure: Error | null;
  isBusy: boolean;
  onOpen: (passphrase: string) => void;
}

/** Keys of certificates in the backup to restore, and the passphrase that opens them. Empty where there are none. */
export function KeysOfBackup({ certificates, failure, isBusy, onOpen }: KeysOfBackupProps) {
  const { t } = useTranslation('certificates');
  const [passphrase, setPassphrase] = useState('');
  if (certificates === 'none') return null;
  if (certificates === 'open')
    return (
      <Text size="sm" role="status">
        {t('keys.open')}
      </Text>
    );
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onOpen(passphrase);
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="xs">
        <Text size="sm">{t('keys.locked')}</Text>
        <Failure error={failure} />
        <Group align="end">
          <PasswordInput
            label={t('keys.ofBackup')}
            autoComplete="off"
            value={passphrase}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
            flex={1}
          />
          <Button type="submit" variant="default" disabled={passphrase === ''} loading={isBusy}>
            {t('keys.unlock')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
