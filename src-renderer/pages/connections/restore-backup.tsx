import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { requireDesktop } from '../../api/desktop.ts';
import { useFormat } from '../../i18n/format.ts';
import { QueryView } from '../../ui/query-view.tsx';

/** Going back to an automatic backup while the panel does not start: typing its name, not only clicking. */
export function RestoreBackup() {
  const { t } = useTranslation('desktop');
  const format = useFormat();
  const { server } = requireDesktop();
  const backups = useQuery({ queryKey: ['desktop', 'backups'], queryFn: () => server.backups(), gcTime: 0 });
  const [picked, setPicked] = useState('');
  const [typed, setTyped] = useState('');
  const [hasFailed, setFailed] = useState(false);
  const handleSubmit = (event: FormEvent, name: string): void => {
    event.preventDefault();
    setFailed(false);
    server.restore(name).catch(() => setFailed(true));
  };
  return (
    <section aria-labelledby="restore">
      <Title order={2} size="h5" id="restore" mb="xs">
        {t('stopped.restore')}
      </Title>
      <QueryView query={backups}>
        {(found) => {
          const name = picked === '' ? found[0]?.name : picked;
          if (name === undefined) return <Text size="sm">{t('stopped.noBackups')}</Text>;
          return (
            <form onSubmit={(event) => handleSubmit(event, name)}>
              <Stack gap="sm">
                <Text size="sm">{t('stopped.restoreText')}</Text>
                {hasFailed && (
                  <Alert color="red" role="alert">
                    {t('stopped.restoreFailed')}
                  </Alert>
                )}
                <NativeSelect
                  label={t('stopped.backup')}
                  value={name}
                  onChange={(event) => setPicked(event.currentTarget.value)}
                  data={found.map((each) => ({
                    value: each.name,
                    label: `${format.dateTime(each.takenAtMs)} · ${format.bytes(each.bytes)} · ${each.name}`,
                  }))}
                />
                <TextInput
                  label={t('stopped.typeName', { name })}
                  dir="ltr"
                  autoComplete="off"
                  value={typed}
                  onChange={(event) => setTyped(event.currentTarget.value)}
                />
                <Group justify="flex-end">
                  <Button type="submit" color="red.9" disabled={typed.trim() !== name}>
                    {t('stopped.restoreDeed')}
                  </Button>
                </Group>
              </Stack>
            </form>
          );
        }}
      </QueryView>
    </section>
  );
}
