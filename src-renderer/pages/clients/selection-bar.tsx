import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listClientsPaged } from '#contract/clients';
import { useCall } from '../../api/transport-context.tsx';
import { useFormat } from '../../i18n/format.ts';
import { announceFailure } from '../../ui/announce.ts';
import { barRoom } from '../../ui/bar-room.ts';
import toolbar from '../../ui/toolbar.module.css';
import classes from './clients.module.css';
import { ClientDeeds } from './deeds/client-deeds.tsx';
import { useDeeds } from './deeds/deed-store.ts';
import { useSwitchClients } from './deeds/use-switch-clients.ts';
import { toQuery, type ListAddress } from './list-address.ts';
import { useSelection } from './selection-store.ts';

const COLLECT_SIZE = 200;

interface SelectionBarProps {
  address: ListAddress;
  filtered: number;
  /** Names of all groups. */
  groups: readonly string[];
}

/** What can be done with the selected clients, whatever page they are on. */
export function SelectionBar({ address, filtered, groups }: SelectionBarProps) {
  const { t } = useTranslation(['clients', 'clientTools']);
  const format = useFormat();
  const call = useCall();
  const selection = useSelection();
  const ask = useDeeds((state) => state.ask);
  const { enable, isBusy } = useSwitchClients();
  const [collected, setCollected] = useState<number | null>(null);
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

  return (
    <>
      {count > 0 && (
        <Paper
          ref={barRoom}
          withBorder
          shadow="md"
          p="sm"
          className={classes['bar'] ?? ''}
          role="region"
          aria-label={t('bar.label')}
        >
          <Group gap="xs" className={toolbar['verbs'] ?? ''}>
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
            <Button size="xs" variant="default" onClick={() => ask('adjust', emails)}>
              {t('bar.adjust')}
            </Button>
            <Button size="xs" variant="default" loading={isBusy} onClick={() => enable(emails)}>
              {t('bar.enable')}
            </Button>
            <Button size="xs" variant="default" onClick={() => ask('disable', emails)}>
              {t('bar.disable')}
            </Button>
            <Button size="xs" variant="default" onClick={() => ask('reset', emails)}>
              {t('bar.reset')}
            </Button>
            <Menu position="top-end" withinPortal>
              <Menu.Target>
                <Button size="xs" variant="default">
                  {t('clientTools:more')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => ask('attach', emails)}>{t('clientTools:placing.attach.deed')}</Menu.Item>
                <Menu.Item onClick={() => ask('detach', emails)}>{t('clientTools:placing.detach.deed')}</Menu.Item>
                <Menu.Item onClick={() => ask('group', emails)}>{t('clientTools:group.menu')}</Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button size="xs" color="red.9" onClick={() => ask('delete', emails)}>
              {t('bar.delete')}
            </Button>
            <Button size="xs" variant="subtle" onClick={selection.clear}>
              {t('bar.clear')}
            </Button>
          </Group>
        </Paper>
      )}
      <ClientDeeds groups={groups} />
    </>
  );
}
