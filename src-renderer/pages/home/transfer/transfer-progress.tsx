import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { requireDesktop } from '../../../api/desktop.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { isOver, useJob } from '../jobs/use-job.ts';
import { JobFailure } from '../jobs/job-failure.tsx';

interface ProgressProps {
  id: string;
  toId: string;
  toName: string;
  onAnother: () => void;
}

/** Progress of a transfer, and its result. */
export function TransferProgressView({ id, toId, toName, onAnother }: ProgressProps) {
  const { t } = useTranslation('works');
  const { data, error, refetch } = useJob('transfer', id);
  const isRunning = data === undefined ? error === null : !isOver(data);
  const phase = data?.result?.phase ?? 'inbounds';
  const share = data === undefined || data.total === 0 ? 0 : (100 * data.done) / data.total;
  const open = (): void => void requireDesktop().panels.open({ id: toId, path: '/panel' }).catch(announceFailure);
  const cancel = (): void =>
    void requireDesktop()
      .jobs.cancel(id)
      .then(() => refetch(), announceFailure);
  return (
    <TitledCard title={t('transfer.title')}>
      <div role="status">
        {isRunning && <Text>{t(`phase.${phase}`)} …</Text>}
        {data?.state === 'done' && (
          <Alert color="teal">
            {t('transfer.done', {
              inbounds: data.result?.inboundCount ?? 0,
              clients: data.result?.clientCount ?? 0,
            })}
          </Alert>
        )}
        {data?.state === 'cancelled' && <Alert color="yellow">{t('transfer.cancelled')}</Alert>}
        {data?.state === 'failed' && (
          <Alert color="yellow">{t(phase === 'undoing' ? 'transfer.failedOpen' : 'transfer.failed')}</Alert>
        )}
      </div>
      <JobFailure trouble={data?.trouble ?? null} isUnknown={error !== null} />
      {isRunning && <Progress value={share} animated aria-label={t(`phase.${phase}`)} />}
      <Group>
        {isRunning && (
          <Button variant="default" disabled={data?.state === 'undoing'} onClick={cancel}>
            {t('stop')}
          </Button>
        )}
        {data?.state === 'done' && <Button onClick={open}>{t('transfer.openTo', { name: toName })}</Button>}
        {!isRunning && (
          <Button variant="default" onClick={onAnother}>
            {t('transfer.another')}
          </Button>
        )}
      </Group>
    </TitledCard>
  );
}
