import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { listCountedInbounds, type CountedInbound } from '#contract/inbounds';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { CsvButton } from '../../ui/csv/csv-button.tsx';
import { inboundsCsv } from './list/inbounds-csv.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Named } from '../../ui/named.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { useNodeNames } from '../nodes/use-nodes.ts';
import { ImportDialog } from './list/import-dialog.tsx';
import { InboundDrawer } from './list/inbound-drawer.tsx';
import { InboundCodeDialog } from './list/inbound-code-dialog.tsx';
import { InboundFilterBar } from './list/inbound-filter-bar.tsx';
import { InboundList } from './list/inbound-list.tsx';
import { useIsNotRunning } from './list/not-running.tsx';
import { shownInbounds } from './list/shown-inbounds.ts';
import { useInboundChoice } from './list/verbs/use-inbound-choice.ts';
import { RecipeDialog } from './recipe-dialog.tsx';

/** Who is online changes without an event, so it is polled. */
const COUNT_AGAIN_MS = 10_000;

/** The list of inbounds. */
export function InboundsPage() {
  const { t } = useTranslation(['inbounds', 'shell', 'inboundTools']);
  const inbounds = useRead(listCountedInbounds, {}, [...keys.inbounds, 'counted'], { refetchInterval: COUNT_AGAIN_MS });
  const dialog = useDialogParam('inbound');
  const drawer = useDialogParam('show');
  const code = useDialogParam('code');
  const { choice, choose } = useInboundChoice();
  const isNotRunning = useIsNotRunning();
  const nodeNames = useNodeNames();
  const [search, setSearch] = useSearchParams();
  const nodeId = Number(search.get('node') ?? 0);
  const nodeName = nodeNames.get(nodeId);
  const isOnNode = nodeId > 0;
  const onPlace = (all: readonly CountedInbound[]) =>
    isOnNode ? all.filter((inbound) => inbound.nodeId === nodeId) : all;
  const shownRows = (all: readonly CountedInbound[]) => shownInbounds(onPlace(all), choice, isNotRunning);
  const actions = (
    <Group gap={0} wrap="nowrap">
      <Button component={Link} to="/panel/inbounds/new" me={1}>
        {t('add')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={36} variant="filled" aria-label={t('addOther')}>
            <IconChevronDown size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => dialog.open('new')}>{t('recipe.menu')}</Menu.Item>
          <Menu.Item onClick={() => dialog.open('import')}>{t('import.menu')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
  const empty = (
    <EmptyState text={t('none')} action={<Button onClick={() => dialog.open('new')}>{t('recipe.menu')}</Button>} />
  );
  return (
    <Page
      title={t('shell:nav.inbounds')}
      actions={
        <>
          {(inbounds.data ?? []).length > 0 && (
            <CsvButton name="inbounds" table={() => inboundsCsv(shownRows(inbounds.data ?? []))} />
          )}
          {actions}
        </>
      }
    >
      {isOnNode && (
        <Group gap="xs">
          <Text size="sm">
            <Named sentence={(name) => t('onNode', { name })} name={nodeName ?? `#${nodeId}`} />
          </Text>
          <Button size="xs" variant="default" onClick={() => setSearch({})}>
            {t('allPlaces')}
          </Button>
        </Group>
      )}
      <QueryView query={inbounds} empty={empty}>
        {(all) => {
          const here = onPlace(all);
          if (here.length === 0) return <EmptyState text={t('noneOnNode')} />;
          const rows = shownInbounds(here, choice, isNotRunning);
          const coded = all.find(({ id }) => String(id) === code.value);
          return (
            <Stack gap="md">
              <InboundFilterBar
                choice={choice}
                protocols={here.map(({ protocol }) => protocol)}
                found={rows.length}
                onChoose={choose}
              />
              {rows.length === 0 ? (
                <EmptyState
                  text={t('inboundTools:noMatch')}
                  action={
                    <Button variant="default" onClick={() => choose({ q: '', protocol: '', state: '' })}>
                      {t('allPlaces')}
                    </Button>
                  }
                />
              ) : (
                <InboundList
                  rows={rows}
                  onOpen={(id) => drawer.open(String(id))}
                  nodeNames={nodeNames}
                  choice={choice}
                  onChoose={choose}
                />
              )}
              {coded !== undefined && <InboundCodeDialog inbound={coded} onClose={code.close} />}
            </Stack>
          );
        }}
      </QueryView>
      {dialog.value === 'new' && <RecipeDialog onClose={dialog.close} />}
      {dialog.value === 'import' && <ImportDialog onClose={dialog.close} />}
      {drawer.value !== null && <InboundDrawer id={Number(drawer.value)} onClose={drawer.close} />}
    </Page>
  );
}
