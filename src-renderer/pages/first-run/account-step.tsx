import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetFirstCredentials, getFirstCredentials } from '#contract/session';
import { useRead } from '../../api/use-read.ts';
import { useChange } from '../../api/use-change.ts';
import { announceFailure } from '../../ui/notices/announce.ts';
import { CopyField } from '../../ui/copy/copy-field.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { OwnCredentials } from './own-credentials.tsx';

const CREDENTIALS = ['firstCredentials'];

/** The credentials made on first start: kept by the operator, or replaced. */
export function AccountStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['firstRun', 'words']);
  const forget = useChange(forgetFirstCredentials, [CREDENTIALS]);
  const [isOwn, setOwn] = useState(false);
  const credentials = useRead(getFirstCredentials, {}, CREDENTIALS, { gcTime: 0 });
  const handleStored = (): void => forget.mutate({}, { onSuccess: onDone, onError: announceFailure });
  return (
    <QueryView
      query={credentials}
      isEmpty={(found) => found === null}
      empty={<Text size="sm">{t('account.none')}</Text>}
    >
      {(found) =>
        found === null ? null : isOwn ? (
          <OwnCredentials made={found} stale={CREDENTIALS} onDone={onDone} onKeep={() => setOwn(false)} />
        ) : (
          <Stack>
            <Text size="sm">{t('account.text')}</Text>
            <CopyField label={t('words:username')} value={found.username} />
            <CopyField label={t('words:password')} value={found.password} />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setOwn(true)}>
                {t('account.own')}
              </Button>
              <Button loading={forget.isPending} onClick={handleStored}>
                {t('account.stored')}
              </Button>
            </Group>
          </Stack>
        )
      }
    </QueryView>
  );
}
