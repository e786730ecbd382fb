import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { getRollout, nodeVersions } from '#contract/nodes/rollout';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useRead } from '../../../api/use-read.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useNodes } from '../use-nodes.ts';
import { ExchangeForm } from './exchange-form.tsx';
import { RolloutCard } from './rollout-card.tsx';
import { VersionTable } from './version-table.tsx';

const LOOK_AGAIN_MS = 5_000;

/** Versions of core, geo files and panel on every node, and their rollout in waves. */
export function VersionsPage() {
  const { t } = useTranslation('nodes');
  const call = useCall();
  const [params] = useSearchParams();
  const [chosen, choose] = useState<ReadonlySet<number>>(
    () => new Set((params.get('ids') ?? '').split(',').map(Number).filter(Number.isInteger)),
  );
  const rollout = useRead(getRollout, {}, [...keys.nodes, 'rollout'], {
    // Connections without a stream have to poll.
    refetchInterval: ({ state }) => (state.data?.isRunning === true ? LOOK_AGAIN_MS : false),
  });
  const isRunning = rollout.data?.isRunning === true;
  const versions = useQuery({
    // Not below the nodes' key: reading it asks every node. Read again at the end of a rollout.
    queryKey: ['nodeVersions', rollout.data?.jobId ?? '', isRunning],
    queryFn: ({ signal }) => call(nodeVersions, {}, signal),
    placeholderData: (before) => before,
  });
  // A node's state may change while the page is open.
  const live = new Map(
    useNodes(LOOK_AGAIN_MS).data?.map(({ id, enable, status, panelVersion, coreVersion, coreState }) => [
      id,
      { enable, status, panelVersion, coreVersion, coreState },
    ]),
  );
  return (
    <Page
      title={t('fleet.title')}
      actions={
        <Button variant="default" loading={versions.isFetching} onClick={() => void versions.refetch()}>
          {t('fleet.refresh')}
        </Button>
      }
    >
      <Stack>
        <Text size="sm" c="dimmed" maw={720}>
          {t('fleet.intro')}{' '}
          <Anchor component={Link} to="/panel/nodes" size="sm" underline="always">
            {t('fleet.back')}
          </Anchor>
        </Text>
        {rollout.data !== undefined && rollout.data !== null && <RolloutCard rollout={rollout.data} />}
        <QueryView query={versions} empty={<Text>{t('none.title')}</Text>}>
          {(loaded) => {
            const rows = loaded.map((row) => ({ ...row, ...live.get(row.id) }));
            return (
              <Stack>
                <ExchangeForm rows={rows} chosen={chosen} isRunning={isRunning} />
                <VersionTable rows={rows} chosen={chosen} onChoose={choose} />
              </Stack>
            );
          }}
        </QueryView>
      </Stack>
    </Page>
  );
}
