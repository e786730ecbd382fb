import { ActionIcon, Button, Group, Indicator, Popover, Progress, ScrollArea, Stack, Text } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { cancelJob, listJobs, type Job } from '#contract/jobs';
import { keys } from '../api/keys.ts';
import { failureOf, useRead } from '../api/use-read.ts';
import { useChange } from '../api/use-change.ts';
import { useFormat } from '../i18n/format.ts';
import { jobFailureWords } from '../i18n/refusal-words.ts';
import { serverTimeAt } from '../stores/server-clock.ts';
import { announceFailure } from '../ui/notices/announce.ts';
import { Failure } from '../ui/notices/failure.tsx';
import { useNow } from '../ui/use-now.ts';
import { Hint } from '../ui/layout/hint.tsx';
import classes from './shell.module.css';

/** Running and ended jobs of the server. They go on whatever happens to this page. */
export function JobsTray() {
  const { t } = useTranslation('shell');
  const format = useFormat();
  const list = useRead(listJobs, {}, keys.jobs);
  const jobs = list.data ?? [];
  const running = jobs.filter((job) => job.state === 'running').length;
  return (
    <Popover position="bottom-end" width={340} withinPortal trapFocus returnFocus>
      <Indicator disabled={running === 0} label={format.number(running)} size={16} offset={6}>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size={40} aria-label={t('jobs.label', { count: running })}>
            <IconListCheck size={22} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={400}>
          <Stack>
            <Failure error={{ message: failureOf(list) }} />
            {list.data?.length === 0 && <Text size="sm">{t('jobs.none')}</Text>}
            {jobs.map((job) => (
              <JobLine key={job.id} job={job} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The jobs of a kind that run now. */
export function RunningJobs({ kind }: { kind: string }) {
  const jobs = useRead(listJobs, {}, keys.jobs).data ?? [];
  const running = jobs.filter((job) => job.kind === kind && job.state === 'running');
  return (
    running.length > 0 && (
      <Stack w="100%">
        {running.map((job) => (
          <JobLine key={job.id} job={job} />
        ))}
      </Stack>
    )
  );
}

function JobLine({ job }: { job: Job }) {
  const { t } = useTranslation('shell');
  const format = useFormat();
  const cancel = useChange(cancelJob, [keys.jobs]);
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>
          <bdi>{job.title}</bdi>
        </Text>
        {job.state === 'running' ? (
          <Button
            size="compact-xs"
            variant="default"
            disabled={job.isCancelling}
            onClick={() => cancel.mutate({ params: { id: job.id } }, { onError: announceFailure })}
          >
            {t('cancel')}
          </Button>
        ) : (
          <Text size="xs">{t(`jobs.${job.state}`)}</Text>
        )}
      </Group>
      {job.state === 'running' && (
        <Progress value={job.total === 0 ? 100 : (job.done / job.total) * 100} aria-label={job.title} />
      )}
      {job.total > 0 && (
        <Text size="xs">
          {format.number(job.done)} / {format.number(job.total)}
        </Text>
      )}
      <Hint size="xs">
        {format.clock(job.startedAt)}
        {job.finishedAt > 0 ? ` – ${format.clock(job.finishedAt)}` : <Elapsed sinceMs={job.startedAt} />}
      </Hint>
      {(job.error || job.stage) !== '' && (
        <Text size="xs" c="dimmed" dir="auto" className={classes['multiline'] ?? ''}>
          {jobFailureWords(job) || job.stage}
        </Text>
      )}
    </Stack>
  );
}

/** How long it has run. @param sinceMs by the server's clock */
function Elapsed({ sinceMs }: { sinceMs: number }) {
  const { t } = useTranslation('shell');
  const format = useFormat();
  const nowMs = serverTimeAt(useNow());
  // Hidden from screen readers, which would read out nothing but numbers.
  return <span aria-hidden>{t('jobs.elapsed', { time: format.stopwatch(Math.max(0, nowMs - sinceMs) / 1_000) })}</span>;
}
