import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { takeBackup } from '#contract/backup';
import { keys } from '../../../api/keys.ts';
import { CallError } from '../../../api/transport.ts';
import { useChange } from '../../../api/use-change.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { Failure } from '../../../ui/notices/failure.tsx';

/** Makes a backup that includes the keys of certificates, sealed with a passphrase. */
export function BackupWithKeys() {
  const { t } = useTranslation('certificates');
  const [passphrase, setPassphrase] = useState('');
  const take = useChange(takeBackup, [[...keys.settings, 'backups']]);
  const issue = take.error instanceof CallError ? take.error.issues[0] : undefined;
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    take.mutate({ body: { passphrase } }, { onSuccess: () => setPassphrase('') });
  };
  return (
    <TitledCard title={t('keys.title')}>
      <form onSubmit={handleSubmit}>
        <Stack>
          <Text size="sm">{t('keys.text')}</Text>
          {issue === undefined && <Failure error={take.error} />}
          <PasswordInput
            label={t('keys.passphrase')}
            description={t('keys.hint')}
            autoComplete="new-password"
            value={passphrase}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
            error={issue?.message}
          />
          <Group>
            <Button type="submit" variant="default" disabled={passphrase === ''} loading={take.isPending}>
              {t('keys.take')}
            </Button>
            {take.data !== undefined && (
              <Text size="sm" role="status">
                {t('keys.taken', { count: take.data.certificates })}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </TitledCard>
  );
}
