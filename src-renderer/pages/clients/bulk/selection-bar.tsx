import { Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/transport-context.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { SelectionVerbs } from '../../../ui/selection-verbs.tsx';
import { ClientActions } from '../actions/client-actions.tsx';
import { useActions } from '../actions/action-store.ts';
import { useSendLinks } from '../actions/use-send-links.ts';
import { useSwitchClients } from '../actions/use-switch-clients.ts';
import type { ListAddress } from '../filters/list-address.ts';
import { asCreated, readPages } from '../list/read-pages.ts';
import { useClientsCsv } from '../views/use-clients-csv.ts';
import { useSelection } from './selection-store.ts';

interface SelectionBarProps {
  address: ListAddress;
  /** How many match it; undefined while the response is under way. */
  filtered: number | undefined;
  /** Names of all groups. */
  groups: readonly string[];
}

/** What can be done with the selected clients, whatever page they are on. */
export function SelectionBar({ address, filtered, groups }: SelectionBarProps) {
  const { t } = useTranslation(['clients', 'clientTools', 'plans', 'views', 'words']);
  const format = useFormat();
  const call = useCall();
  const selection = useSelection();
  const openDialog = useActions((state) => state.openDialog);
  const { enable, isBusy } = useSwitchClients();
  const sendLinks = useSendLinks();
  const csv = useClientsCsv(address);
  const [collected, setCollected] = useState<{ done: number; of: number } | null>(null);
  const collecting = useRef(new AbortController());
  const emails = [...selection.emails];
  const count = emails.length;

  const handleCollect = async (): Promise<void> => {
    const { signal } = (collecting.current = new AbortController());
    setCollected({ done: 0, of: filtered ?? 0 });
    try {
      for await (const { items, done, of } of readPages(call, asCreated(address), signal)) {
        selection.set(
          items.map(({ email }) => email),
          true,
        );
        setCollected({ done, of });
      }
    } catch (error) {
      if (!signal.aborted) announceFailure(error as Error);
    } finally {
      setCollected(null);
    }
  };
  const handleClear = (): void => {
    collecting.current.abort();
    selection.clear();
  };
  useEffect(() => () => collecting.current.abort(), []);

  return (
    <>
      {count > 0 && (
        <SelectionVerbs
          label={t('bar.label')}
          verbs={[
            { label: t('adjust.action'), onClick: () => openDialog('adjust', emails) },
            { label: t('words:enable'), isBusy, onClick: () => enable(emails) },
            { label: t('bar.disable'), onClick: () => openDialog('disable', emails) },
            { label: t('words:resetTraffic'), onClick: () => openDialog('reset', emails) },
            { label: t('words:delete'), isDanger: true, onClick: () => openDialog('delete', emails) },
          ]}
          more={[
            { label: t('clientTools:placing.attach.action'), onClick: () => openDialog('attach', emails) },
            { label: t('clientTools:placing.detach.action'), onClick: () => openDialog('detach', emails) },
            { label: t('clientTools:group.menu'), onClick: () => openDialog('group', emails) },
            { label: t('plans:give'), onClick: () => openDialog('plan', emails) },
            { label: t('clientTools:mail.send'), onClick: () => sendLinks(emails) },
            { label: t('views:csvSelection'), onClick: () => csv.save(emails) },
          ]}
          onClear={handleClear}
        >
          <Text fw={600} role="status">
            {t('bar.selected', { count })}
          </Text>
          {filtered !== undefined && count < filtered && (
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
              {t('bar.collecting', { done: format.number(collected.done), total: format.number(collected.of) })}
            </Text>
          )}
        </SelectionVerbs>
      )}
      <ClientActions groups={groups} />
    </>
  );
}
