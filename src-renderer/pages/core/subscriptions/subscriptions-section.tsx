import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { listOutboundSubs, refreshOutboundSubs } from '#contract/outboundSubs';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { JobProgress } from '../state/job-progress.tsx';
import { useNewestJob } from '../state/use-job.ts';
import { SubscriptionDialog } from './subscription-dialog.tsx';
import { SubscriptionTable } from './subscription-table.tsx';
import { SUBS_KEY } from './subs-key.ts';

/** Remote server lists whose outbounds run beside the template's. Every change here is live at once. */
export function SubscriptionsSection() {
  const { t } = useTranslation('core');
  const subs = useRead(listOutboundSubs, {}, SUBS_KEY);
  const refresh = useChange(refreshOutboundSubs, [keys.jobs]);
  const job = useNewestJob('refreshOutboundSubs');
  const dialog = useDialogParam('subscription');
  const opened = subs.data?.find(({ id }) => String(id) === dialog.value);
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw={640}>
          {t('subs.hint')}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            disabled={(subs.data ?? []).length === 0 || job?.state === 'running'}
            loading={refresh.isPending}
            onClick={() => refresh.mutate({}, { onError: announceFailure })}
          >
            {t('subs.refreshAll')}
          </Button>
          <Button onClick={() => dialog.open('new')}>{t('subs.add')}</Button>
        </Group>
      </Group>
      {job !== undefined && <JobProgress job={job} />}
      <QueryView query={subs} empty={<EmptyState text={t('subs.none')} />}>
        {(rows) => <SubscriptionTable rows={rows} onOpen={(id) => dialog.open(String(id))} />}
      </QueryView>
      {dialog.value === 'new' && <SubscriptionDialog stored={null} onClose={dialog.close} />}
      {opened !== undefined && <SubscriptionDialog key={opened.id} stored={opened} onClose={dialog.close} />}
    </Stack>
  );
}
