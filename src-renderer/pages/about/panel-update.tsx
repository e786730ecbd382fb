import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getPanelUpdateInfo, getUpdateStatus, updatePanel } from '#contract/panelUpdate';
import { useRead } from '../../api/use-read.ts';
import { useChange } from '../../api/use-change.ts';
import { announceFailure } from '../../ui/notices/announce.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { TitledCard } from '../../ui/layout/titled-card.tsx';

const UPDATE = ['panelUpdate'];
const LOOK_EVERY_MS = 2_000;

/** Whether there is a newer panel, how the last update went, and the button to update where this installation can. */
export function PanelUpdate() {
  const { t } = useTranslation('about');
  const info = useRead(getPanelUpdateInfo, {}, [...UPDATE, 'info'], { staleTime: 600_000 });
  const run = useRead(getUpdateStatus, {}, [...UPDATE, 'run'], {
    // The panel restarts in between; the last known state stays until it answers again.
    refetchInterval: ({ state }) => (isPending(state.data) ? LOOK_EVERY_MS : false),
  });
  const update = useChange(updatePanel, [UPDATE]);
  const { data } = info;
  const handleUpdate = async (version: string): Promise<void> => {
    const isSure = await confirmAction({
      title: t('update.sureTitle', { version }),
      text: t('update.sureText'),
      action: t('update.run'),
      isDangerous: false,
    });
    if (isSure) update.mutate({ body: {} }, { onError: announceFailure });
  };
  return (
    <TitledCard
      title={t('update.title')}
      actions={
        <Button variant="default" loading={info.isFetching} onClick={() => void info.refetch()}>
          {t('update.look')}
        </Button>
      }
    >
      {info.isPending && <Skeleton height={20} />}
      {info.isError && <Text size="sm">{t('update.unknown')}</Text>}
      {data !== undefined && (
        <Group justify="space-between">
          <Text size="sm">
            {data.updateAvailable ? t('update.there', { version: data.latestVersion }) : t('update.none')}
          </Text>
          {data.updateAvailable && data.canUpdate && (
            <Button
              loading={update.isPending}
              disabled={isPending(run.data)}
              onClick={() => void handleUpdate(data.latestVersion)}
            >
              {t('update.run')}
            </Button>
          )}
        </Group>
      )}
      {data?.updateAvailable === true && !data.canUpdate && <Text size="sm">{t('update.byHand')}</Text>}
      <LastRun run={run.data} />
    </TitledCard>
  );
}

type Run = { runId: string; status: 'pending' | 'success' | 'failed'; message: string } | undefined;

/** `0` = never ran. */
function isPending(run: Run): boolean {
  return run !== undefined && run.runId !== '0' && run.status === 'pending';
}

function LastRun({ run }: { run: Run }) {
  const { t } = useTranslation('about');
  if (run === undefined || run.runId === '0') return null;
  const { status, message } = run;
  return (
    <Alert color={status === 'failed' ? 'red' : status === 'success' ? 'teal' : 'blue'} role="status">
      {status === 'failed' ? t('update.failed', { message }) : t(`update.${status}`)}
    </Alert>
  );
}
