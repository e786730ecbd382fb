import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { cancelJob, type Job } from '#contract/jobs';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { jobFailureWords } from '../../../i18n/refusal-words.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';

/** Progress of a job with a button to cancel it; afterwards why it failed. */
export function JobProgress({ job }: { job: Job }) {
  const { t } = useTranslation(['core', 'shell']);
  const format = useFormat();
  const cancel = useChange(cancelJob, [keys.jobs]);
  if (job.state === 'failed') {
    return (
      <Alert color="red" title={job.title}>
        <bdi>{jobFailureWords(job)}</bdi>
      </Alert>
    );
  }
  if (job.state !== 'running') return null;
  const percent = job.total === 0 ? 0 : (job.done / job.total) * 100;
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          <bdi>{job.title}</bdi> · <bdi>{job.stage}</bdi> {job.total > 0 && format.percent(percent)}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          disabled={job.isCancelling}
          onClick={() => cancel.mutate({ params: { id: job.id } }, { onError: announceFailure })}
        >
          {job.isCancelling ? t('state.cancelling') : t('shell:cancel')}
        </Button>
      </Group>
      <Progress value={job.total === 0 ? 100 : percent} animated={job.total === 0} aria-label={job.title} />
    </Stack>
  );
}
