import { Alert, Badge, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getCoreVersion, installCore } from '#contract/coreFiles';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { JobProgress } from './job-progress.tsx';
import { useNewestJob } from './use-job.ts';

/** The panel's version text for a core that is not installed. */
const NO_CORE = 'Unknown';

/** The running core, and versions to install: fetched, tested with the present config, rolled back on failure. */
export function Versions({ present }: { present: string }) {
  const { t } = useTranslation(['core', 'shell']);
  const cache = useQueryClient();
  const versions = useRead(getCoreVersion, {}, [...keys.core, 'versions'], { staleTime: 600_000 });
  const install = useChange(installCore, [keys.jobs]);
  const job = useNewestJob('installCore');
  const [chosen, choose] = useState<string | null>(null);
  const isRunning = job?.state === 'running';
  useEffect(() => {
    if (job?.state === 'done') void cache.invalidateQueries({ queryKey: keys.status });
  }, [job?.state, job?.id, cache]);
  const handleInstall = async (): Promise<void> => {
    if (chosen === null) return;
    const isSure = await confirmAction({
      title: t('versions.title', { version: chosen }),
      text: t('versions.text'),
      action: t('versions.install'),
      isDangerous: false,
    });
    if (isSure) install.mutate({ params: { version: chosen } }, { onError: announceFailure });
  };
  const choice = (list: readonly string[]) => (
    <Group align="flex-end" gap="xs">
      <Select
        label={t('versions.choose')}
        data={list.map((version) => ({
          value: version,
          label: version.replace(/^v/, '') === present ? t('versions.present', { version }) : version,
        }))}
        value={chosen}
        onChange={choose}
        placeholder={list[0] ?? ''}
        searchable
        flex={1}
      />
      <Button disabled={chosen === null || isRunning} loading={install.isPending} onClick={() => void handleInstall()}>
        {t('versions.install')}
      </Button>
    </Group>
  );
  return (
    <TitledCard
      title={t('versions.heading')}
      actions={
        <Badge variant="light" tt="none">
          <bdi>{present}</bdi>
        </Badge>
      }
    >
      {versions.error !== null && <Unreachable present={present} query={versions} />}
      {versions.error === null ? (
        <QueryView query={versions} empty={<Text size="sm">{t('versions.none')}</Text>}>
          {choice}
        </QueryView>
      ) : (
        versions.data !== undefined && choice(versions.data)
      )}
      {job !== undefined && <JobProgress job={job} />}
    </TitledCard>
  );
}

/** A machine without internet is not an error of the panel: the installed version keeps working. */
function Unreachable({ present, query }: { present: string; query: UseQueryResult<string[]> }) {
  const { t } = useTranslation(['core', 'shell']);
  return (
    <Alert color="yellow" role="status" title={t('versions.unreachable')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {present === NO_CORE ? t('versions.unreachableNone') : t('versions.unreachableText', { version: present })}
        </Text>
        <Text size="xs">
          <bdi>{query.error?.message}</bdi>
        </Text>
        <Button size="xs" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
          {t('shell:retry')}
        </Button>
      </Stack>
    </Alert>
  );
}
