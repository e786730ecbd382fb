import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Host } from '#contract/hosts';
import { CsvButton } from '../../ui/csv/csv-button.tsx';
import { hostsCsv } from './hosts-csv.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { HostEditor } from './editor/host-editor.tsx';
import { HostSection } from './host-section.tsx';
import { useHosts, type HostsData } from './use-hosts.ts';
import { useHostActions } from './use-host-actions.ts';

/** Hosts of all inbounds, in the order of the links. */
export function HostsPage() {
  const { t } = useTranslation(['hosts', 'shell', 'inbounds']);
  const hosts = useHosts();
  const dialog = useDialogParam('host');
  const inbounds = hosts.data?.inbounds ?? [];
  const actions = (
    <>
      <CsvButton
        name="hosts"
        table={() => hostsCsv(hosts.data?.hosts ?? [])}
        isDisabled={(hosts.data?.hosts ?? []).length === 0}
      />
      <Button disabled={inbounds.length === 0} onClick={() => dialog.open('many')}>
        {t('addMany')}
      </Button>
    </>
  );
  return (
    <Page title={t('shell:nav.hosts')} actions={actions}>
      <Text size="sm" c="dimmed" maw={720}>
        {t('intro')}
      </Text>
      <QueryView
        query={hosts}
        isEmpty={(data) => data.inbounds.length === 0}
        empty={
          <EmptyState
            text={t('noInbounds')}
            action={
              <Button component={Link} to="/panel/inbounds/new">
                {t('inbounds:add')}
              </Button>
            }
          />
        }
      >
        {(data) => <Sections data={data} onOpen={dialog.open} />}
      </QueryView>
      {dialog.value !== null && hosts.data !== undefined && (
        <HostEditor key={dialog.value} what={dialog.value} inbounds={inbounds} onClose={dialog.close} />
      )}
    </Page>
  );
}

function Sections({ data, onOpen }: { data: HostsData; onOpen: (what: string) => void }) {
  const { t } = useTranslation(['hosts', 'words']);
  const actions = useHostActions();
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const chosen = data.hosts.filter(({ id }) => picked.has(id));
  const byInbound = Map.groupBy(data.hosts, ({ inboundId }) => inboundId);
  const byGroup = Map.groupBy(data.hosts, ({ groupId }) => groupId);
  const groups = new Set([...byGroup].filter(([, rows]) => rows.length > 1).map(([groupId]) => groupId));
  const select = (hosts: readonly Host[], isSelected: boolean): void => {
    const ids = hosts.map(({ id }) => id);
    setPicked((before) =>
      isSelected ? new Set([...before, ...ids]) : new Set([...before].filter((id) => !ids.includes(id))),
    );
  };
  return (
    <Stack>
      {chosen.length > 0 && (
        <Paper withBorder p="xs" role="region" aria-label={t('bulk.label')}>
          <Group gap="xs">
            <Text size="sm" aria-live="polite">
              {t('words:selected', { count: chosen.length })}
            </Text>
            <Button size="xs" variant="default" onClick={() => actions.setEnable(chosen, true)}>
              {t('words:enableSelected')}
            </Button>
            <Button size="xs" variant="default" onClick={() => actions.setEnable(chosen, false)}>
              {t('words:disable')}
            </Button>
            <CsvButton name="hosts" table={() => hostsCsv(chosen)} isSelection />
            <Button size="xs" color="red.9" onClick={() => void actions.confirmRemoval(chosen)}>
              {t('remove.action', { count: chosen.length })}
            </Button>
          </Group>
        </Paper>
      )}
      {data.inbounds.map((inbound) => (
        <HostSection
          key={inbound.id}
          inbound={inbound}
          hosts={byInbound.get(inbound.id) ?? []}
          groups={groups}
          selected={picked}
          actions={actions}
          onSelect={select}
          onOpen={onOpen}
        />
      ))}
    </Stack>
  );
}
