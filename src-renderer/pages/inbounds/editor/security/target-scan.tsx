import { Button, Group, Progress, ScrollArea, Stack, Table, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '../../../../ui/palette/chip.tsx';
import { cancelJob, getJob, listJobs } from '#contract/jobs';
import { scanRealityTargets, type RealityScan } from '#contract/realityScan';
import { keys } from '../../../../api/keys.ts';
import { useCall } from '../../../../api/transport-context.tsx';
import { useRead } from '../../../../api/use-read.ts';
import { useFormat } from '../../../../i18n/format.ts';
import { jobFailureWords } from '../../../../i18n/refusal-words.ts';
import { announceFailure } from '../../../../ui/notices/announce.ts';
import { Failure } from '../../../../ui/notices/failure.tsx';
import { Hint } from '../../../../ui/layout/hint.tsx';

const POLL_MS = 700;

/** Scans for sites to imitate: a job of the server, its results best first. */
export function TargetScan({ onUse }: { onUse: (found: RealityScan) => void }) {
  const { t } = useTranslation(['inboundEditor', 'shell']);
  const call = useCall();
  const [isOpened, setOpen] = useState(false);
  const [targets, setTargets] = useState('');
  const [startedId, setStartedId] = useState<string | null>(null);
  const running = useRunningScan();
  // A scan goes on when the page is left or reloaded; its results are shown all the same.
  const jobId = startedId ?? running;
  const isOpen = isOpened || running !== null;
  const start = useMutation({
    mutationFn: () => call(scanRealityTargets, { body: { targets, background: true } }),
    onSuccess: (result) => setStartedId('jobId' in result ? result.jobId : null),
    onError: announceFailure,
  });
  const job = useRead(getJob, { params: { id: jobId ?? '' } }, [...keys.jobs, 'one', jobId], {
    enabled: jobId !== null,
    refetchInterval: (query) =>
      query.state.data === undefined || query.state.data.state === 'running' ? POLL_MS : false,
  });
  if (!isOpen)
    return (
      <Button variant="default" w="fit-content" onClick={() => setOpen(true)}>
        {t('scan.open')}
      </Button>
    );
  const isRunning = start.isPending || (jobId !== null && (job.data === undefined || job.data.state === 'running'));
  return (
    <Stack gap="sm">
      <Textarea
        label={t('scan.targets')}
        description={t('scan.targetsHint')}
        dir="ltr"
        rows={2}
        value={targets}
        onChange={(event) => setTargets(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button variant="light" disabled={isRunning} onClick={() => start.mutate()}>
          {t('scan.start')}
        </Button>
        {isRunning && jobId !== null && (
          <Button
            variant="default"
            onClick={() => void call(cancelJob, { params: { id: jobId } }).catch(announceFailure)}
          >
            {t('shell:cancel')}
          </Button>
        )}
      </Group>
      {isRunning && (
        <Progress
          value={job.data === undefined || job.data.total === 0 ? 100 : (job.data.done / job.data.total) * 100}
          animated
          aria-label={t('scan.running')}
        />
      )}
      <Failure error={job.error} />
      {job.data?.state === 'failed' && <Failure error={{ message: jobFailureWords(job.data) }} />}
      {job.data?.state === 'done' && <Results rows={resultsOf(job.data.result)} onUse={onUse} />}
    </Stack>
  );
}

/** The scan that was under way when this was first shown; remembered after it ended. */
function useRunningScan(): string | null {
  const { data } = useRead(listJobs, {}, keys.jobs);
  const [found, setFound] = useState<string | null>(null);
  const running = data?.find(({ kind, state }) => kind === 'scanRealityTargets' && state === 'running')?.id ?? null;
  if (found === null && running !== null) setFound(running);
  return found;
}

const resultsOf = (result: unknown): readonly RealityScan[] => (Array.isArray(result) ? (result as RealityScan[]) : []);

function Results({ rows, onUse }: { rows: readonly RealityScan[]; onUse: (found: RealityScan) => void }) {
  const { t } = useTranslation(['inboundEditor', 'words']);
  const format = useFormat();
  if (rows.length === 0) return <Text size="sm">{t('scan.nothing')}</Text>;
  return (
    <ScrollArea.Autosize mah={320} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': t('scan.results') }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('scan.site')}</Table.Th>
            <Table.Th scope="col">{t('scan.quality')}</Table.Th>
            <Table.Th scope="col">{t('scan.delay')}</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.target}>
              <Table.Th scope="row">
                <bdi>{row.target}</bdi>
              </Table.Th>
              <Table.Td>
                {row.feasible ? (
                  <Group gap={4}>
                    <Chip tone="green">{t('scan.fits')}</Chip>
                    <Hint size="xs">
                      <bdi>{[row.tlsVersion, row.alpn, row.curveID].filter((word) => word !== '').join(' · ')}</bdi>
                    </Hint>
                  </Group>
                ) : (
                  <Hint size="xs">{row.reason}</Hint>
                )}
              </Table.Td>
              <Table.Td>{row.latencyMs === 0 ? '—' : t('words:ms', { ms: format.number(row.latencyMs) })}</Table.Td>
              <Table.Td ta="end">
                <Button
                  size="compact-sm"
                  variant={row.feasible ? 'light' : 'subtle'}
                  aria-label={t('scan.useNamed', { target: row.target })}
                  onClick={() => onUse(row)}
                >
                  {t('scan.use')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
