import { NativeSelect, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { requireDesktop } from '../../api/desktop.ts';
import { useFormat } from '../../i18n/format.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { TypedAction } from '../../ui/typed-action.tsx';

/** Restores an automatic backup while the panel does not start; asks to type its name, not only to click. */
export function RestoreBackup() {
  const { t } = useTranslation('desktop');
  const format = useFormat();
  const { server } = requireDesktop();
  const backups = useQuery({ queryKey: ['desktop', 'backups'], queryFn: () => server.backups(), gcTime: 0 });
  const [picked, setPicked] = useState('');
  const [hasFailed, setFailed] = useState(false);
  const handleAction = (name: string): void => {
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
            <TypedAction
              name={name}
              label={t('stopped.typeName', { name })}
              action={t('stopped.restoreAction')}
              failure={hasFailed ? t('stopped.restoreFailed') : null}
              onAction={handleAction}
            >
              <Text size="sm">{t('stopped.restoreText')}</Text>
              <NativeSelect
                label={t('stopped.backup')}
                value={name}
                onChange={(event) => setPicked(event.currentTarget.value)}
                data={found.map((each) => ({
                  value: each.name,
                  label: `${format.dateTime(each.takenAtMs)} · ${format.bytes(each.bytes)} · ${each.name}`,
                }))}
              />
            </TypedAction>
          );
        }}
      </QueryView>
    </section>
  );
}
