import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listClientsPaged } from '#contract/clients/list';
import { useCall } from '../../../api/transport-context.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { SelectionVerbs } from '../../../ui/selection-verbs.tsx';
import { ClientActions } from '../actions/client-actions.tsx';
import { useActions } from '../actions/action-store.ts';
import { useSendLinks } from '../actions/use-send-links.ts';
import { useSwitchClients } from '../actions/use-switch-clients.ts';
import { toQuery, type ListAddress } from '../filters/list-address.ts';
import { useClientsCsv } from '../views/use-clients-csv.ts';
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
  const { t } = useTranslation(['clients', 'clientTools', 'plans', 'views', 'words']);
  const format = useFormat();
  const call = useCall();
  const selection = useSelection();
  const ask = useActions((state) => state.ask);
  const { enable, isBusy } = useSwitchClients();
  const sendLinks = useSendLinks();
  const csv = useClientsCsv(address);
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
        <SelectionVerbs
          label={t('bar.label')}
          verbs={[
            { label: t('adjust.action'), onClick: () => ask('adjust', emails) },
            { label: t('words:enable'), isBusy, onClick: () => enable(emails) },
            { label: t('bar.disable'), onClick: () => ask('disable', emails) },
            { label: t('words:resetTraffic'), onClick: () => ask('reset', emails) },
            { label: t('words:delete'), isDanger: true, onClick: () => ask('delete', emails) },
          ]}
          more={[
            { label: t('clientTools:placing.attach.action'), onClick: () => ask('attach', emails) },
            { label: t('clientTools:placing.detach.action'), onClick: () => ask('detach', emails) },
            { label: t('clientTools:group.menu'), onClick: () => ask('group', emails) },
            { label: t('plans:give'), onClick: () => ask('plan', emails) },
            { label: t('clientTools:mail.send'), onClick: () => sendLinks(emails) },
            { label: t('views:csvSelection'), onClick: () => csv.save(emails) },
          ]}
          onClear={selection.clear}
        >
          <Text fw={600}>{t('bar.selected', { count })}</Text>
          {count < filtered && (
            <Button size="xs" variant="subtle" loading={collected !== null} onClick={() => void handleCollect()}>
              {t('bar.allMatching', { count: format.number(filtered) })}
            </Button>
          )}
          {csv.progress !== null && (
            <Text size="sm" role="status">
              {t('views:csvReading', { done: format.number(csv.progress.done), of: format.number(csv.progress.of) })}
            </Text>
          )}
          {collected !== null && (
            <Text size="sm">
              {t('bar.collecting', { done: format.number(collected), total: format.number(filtered) })}
            </Text>
          )}
        </SelectionVerbs>
      )}
      <ClientActions groups={groups} />
    </>
  );
}
