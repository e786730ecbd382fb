import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { useMessageText } from './use-message-text.ts';

const LOOK_AGAIN_MS = 2_000;

/** Interrupted transfers: those still unfinished, and how the others ended. */
export const UnfinishedNotice = memo(function UnfinishedNotice({ nameOf }: { nameOf: (id: string) => string }) {
  const { t } = useTranslation('works');
  const format = useFormat();
  const say = useMessageText();
  const { data, error, refetch } = useQuery({
    queryKey: ['works', 'unfinished'],
    queryFn: () => requireDesktop().jobs.unfinished(),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data ?? []).some(({ isRunning }) => isRunning) ? LOOK_AGAIN_MS : false),
  });
  const act = (work: Promise<void>): void => void work.then(() => refetch(), announceFailure);
  const forget = async (id: string): Promise<void> => {
    const isSure = await confirmAction({
      title: t('unfinished.forget'),
      text: t('unfinished.forgetText'),
      action: t('unfinished.forget'),
    });
    if (isSure) act(requireDesktop().jobs.forget(id));
  };
  if (data === undefined) return error === null ? null : <Alert color="red">{error.message}</Alert>;
  return data.map(({ id, fromId, toId, startedAtMs, isRunning, trouble, outcome }) => {
    const names = { from: nameOf(fromId), to: nameOf(toId) };
    return (
      <Alert
        key={id}
        color={outcome === null || outcome === 'unknown' ? 'yellow' : 'blue'}
        title={t('unfinished.title')}
      >
        <Stack gap="xs">
          <Text size="sm">
            {t('unfinished.copy', { ...names, when: format.dateTime(startedAtMs) })}{' '}
            {t(`unfinished.${outcome ?? 'removed'}`, names)}
          </Text>
          {trouble !== null && <Text size="sm">{say(trouble)}</Text>}
          {isRunning && <Text size="sm">{t('unfinished.running')}</Text>}
          {!isRunning && outcome === null && (
            <Group gap="xs">
              <Button size="xs" onClick={() => act(requireDesktop().jobs.settle(id))}>
                {t('unfinished.again')}
              </Button>
              <Button size="xs" variant="default" onClick={() => void forget(id)}>
                {t('unfinished.forget')}
              </Button>
            </Group>
          )}
          {outcome !== null && (
            <Group>
              <Button size="xs" variant="default" onClick={() => act(requireDesktop().jobs.forget(id))}>
                {t('unfinished.seen')}
              </Button>
            </Group>
          )}
        </Stack>
      </Alert>
    );
  });
});
