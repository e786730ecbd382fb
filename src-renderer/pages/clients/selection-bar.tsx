import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkDisableClients, bulkEnableClients, bulkResetClientTraffic, listClientsPaged } from '#contract/clients';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useChange } from '../../api/use-change.ts';
import { useFormat } from '../../i18n/format.ts';
import { announceFailure } from '../../ui/announce.ts';
import { confirmDeed } from '../../ui/confirm.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import { BulkResultDialog } from './bulk-result.tsx';
import { useBulkResult } from './bulk-result-store.ts';
import classes from './clients.module.css';
import { GroupChangeDialog } from './group-change-dialog.tsx';
import { InboundsDialog } from './inbounds-dialog.tsx';
import { toQuery, type ListAddress } from './list-address.ts';
import { useSelection } from './selection-store.ts';
import { useDeleteClients } from './use-delete-clients.ts';

const COLLECT_SIZE = 200;
const ROOTS = [keys.clients, keys.groups];

interface SelectionBarProps {
  address: ListAddress;
  filtered: number;
  /** Names of all groups. */
  groups: readonly string[];
}

/** What can be done with the selected clients, whatever page they are on. */
export function SelectionBar({ address, filtered, groups }: SelectionBarProps) {
  const { t } = useTranslation(['clients', 'clientTools', 'shell']);
  const format = useFormat();
  const call = useCall();
  const selection = useSelection();
  const askDelete = useDeleteClients();
  const show = useBulkResult((state) => state.show);
  const enable = useChange(bulkEnableClients, ROOTS);
  const disable = useChange(bulkDisableClients, ROOTS);
  const reset = useChange(bulkResetClientTraffic, ROOTS);
  const [collected, setCollected] = useState<number | null>(null);
  const [dialog, setDialog] = useState<'adjust' | 'attach' | 'detach' | 'group' | null>(null);
  const closeDialog = (): void => setDialog(null);
  const emails = [...selection.emails];
  const count = emails.length;

  const handleCollect = async (): Promise<void> => {
    setCollected(0);
    try {
      for (let page = 1; (page - 1) * COLLECT_SIZE < filtered; page++) {
        const query = { ...toQuery(address), page: String(page), pageSize: String(COLLECT_SIZE) };
        const { items } = await call(listClientsPaged, { query });
        selection.set(
          items.map(({ email }) => email),
          true,
        );
        setCollected(Math.min(page * COLLECT_SIZE, filtered));
      }
    } catch (error) {
      announceFailure(error as Error);
    } finally {
      setCollected(null);
    }
  };
  const handleDisable = async (): Promise<void> => {
    const isSure = await confirmDeed({
      title: t('disableMany.title', { count }),
      text: t('disableMany.text'),
      deed: t('disableMany.deed', { count }),
      cancel: t('shell:cancel'),
    });
    if (!isSure) return;
    disable.mutate(
      { query: { sessions: 'cut' }, body: { emails } },
      {
        onSuccess: ({ changed, skipped, sessionReport }) =>
          show({ done: changed, skipped, leftOpen: sessionReport?.leftCount ?? 0 }),
        onError: announceFailure,
      },
    );
  };
  const handleEnable = (): void =>
    enable.mutate(
      { body: { emails } },
      {
        onSuccess: ({ changed, skipped }) => show({ done: changed, skipped, leftOpen: 0 }),
        onError: announceFailure,
      },
    );
  const handleReset = (): void =>
    reset.mutate(
      { body: { emails } },
      {
        onSuccess: ({ affected }) => show({ done: affected, skipped: [], leftOpen: 0 }),
        onError: announceFailure,
      },
    );

  return (
    <>
      {count > 0 && (
        <Paper withBorder shadow="md" p="sm" className={classes['bar'] ?? ''} role="region" aria-label={t('bar.label')}>
          <Group gap="xs">
            <Text fw={600}>{t('bar.selected', { count })}</Text>
            {count < filtered && (
              <Button size="xs" variant="subtle" loading={collected !== null} onClick={() => void handleCollect()}>
                {t('bar.allMatching', { count: format.number(filtered) })}
              </Button>
            )}
            {collected !== null && (
              <Text size="sm">
                {t('bar.collecting', { done: format.number(collected), total: format.number(filtered) })}
              </Text>
            )}
            <Button size="xs" variant="default" onClick={() => setDialog('adjust')}>
              {t('bar.adjust')}
            </Button>
            <Button size="xs" variant="default" loading={enable.isPending} onClick={handleEnable}>
              {t('bar.enable')}
            </Button>
            <Button size="xs" variant="default" loading={disable.isPending} onClick={() => void handleDisable()}>
              {t('bar.disable')}
            </Button>
            <Button size="xs" variant="default" loading={reset.isPending} onClick={handleReset}>
              {t('bar.reset')}
            </Button>
            <Menu position="top-end" withinPortal>
              <Menu.Target>
                <Button size="xs" variant="default">
                  {t('clientTools:more')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => setDialog('attach')}>{t('clientTools:placing.attach.deed')}</Menu.Item>
                <Menu.Item onClick={() => setDialog('detach')}>{t('clientTools:placing.detach.deed')}</Menu.Item>
                <Menu.Item onClick={() => setDialog('group')}>{t('clientTools:group.menu')}</Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button size="xs" color="red.9" onClick={() => void askDelete(emails)}>
              {t('bar.delete')}
            </Button>
            <Button size="xs" variant="subtle" onClick={selection.clear}>
              {t('bar.clear')}
            </Button>
          </Group>
        </Paper>
      )}
      {dialog === 'adjust' && <AdjustDialog emails={emails} onClose={closeDialog} />}
      {dialog === 'group' && <GroupChangeDialog emails={emails} groups={groups} onClose={closeDialog} />}
      {(dialog === 'attach' || dialog === 'detach') && (
        <InboundsDialog deed={dialog} emails={emails} onClose={closeDialog} />
      )}
      <BulkResultDialog />
    </>
  );
}
