import { Alert, Button, Drawer, Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import type { ShownPanel } from '../panels/panel-model.ts';
import { PanelStateBadge } from '../panels/panel-state.tsx';
import { StoredClients } from './stored-clients.tsx';
import { StoredHosts, StoredInbounds, StoredNodes, StoredSettings } from './stored-lists.tsx';
import { usePanelWords } from '../panels/use-panel-words.ts';

const TABS = ['matters', 'clients', 'inbounds', 'hosts', 'nodes', 'settings'] as const;

interface DrawerProps {
  panel: ShownPanel;
  nowMs: number;
  onUse: (id: string) => void;
  onClose: () => void;
}

/** The last reading of a panel, also while it does not answer. Editing needs the panel itself. */
export function PanelDrawer({ panel, nowMs, onUse, onClose }: DrawerProps) {
  const { card, name } = panel;
  const { t } = useTranslation(['home', 'words']);
  const format = useFormat();
  const { matterWords } = usePanelWords();
  const inventory = useQuery({
    queryKey: ['panels', 'inventory', card.id, card.readAtMs === 0],
    queryFn: () => requireDesktop().panels.inventory(card.id),
    staleTime: 0,
    refetchInterval: 30_000,
  });
  return (
    <Drawer opened onClose={onClose} size="xl" title={<bdi>{name}</bdi>}>
      <Stack>
        <Group justify="space-between">
          <Group gap="xs">
            <PanelStateBadge card={card} />
            <Hint>
              <bdi>{panel.address}</bdi>
            </Hint>
          </Group>
          <Group gap="xs">
            <Button
              variant="default"
              onClick={() => void requireDesktop().panels.refresh(card.id).catch(announceFailure)}
            >
              {t('refresh')}
            </Button>
            <Button onClick={() => onUse(card.id)}>{t('words:open')}</Button>
          </Group>
        </Group>
        {card.state !== 'ok' && (
          <Alert color={card.state === 'waiting' ? 'blue' : 'yellow'}>
            {card.readAtMs === 0 ? t('neverRead') : t('offline', { when: format.dateTime(card.readAtMs) })}
          </Alert>
        )}
        <QueryView query={inventory}>
          {(stored) => (
            <Tabs defaultValue="matters" keepMounted={false}>
              <Tabs.List>
                {TABS.map((tab) => (
                  <Tabs.Tab key={tab} value={tab}>
                    {t(`tab.${tab}`)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="matters" pt="md">
                <Stack gap="xs">
                  {card.matters.length === 0 && <Text c="dimmed">{t('noMatters')}</Text>}
                  {card.matters.map((matter, index) => (
                    <Text key={`${matter.kind} ${matter.name} ${index}`} size="sm">
                      {matterWords(matter)}
                    </Text>
                  ))}
                </Stack>
              </Tabs.Panel>
              <Tabs.Panel value="clients" pt="md">
                <ReadAt atMs={stored.clientsReadAtMs} nowMs={nowMs} />
                <StoredClients id={card.id} readAtMs={stored.clientsReadAtMs} />
              </Tabs.Panel>
              {(['inbounds', 'hosts', 'nodes', 'settings'] as const).map((tab) => (
                <Tabs.Panel key={tab} value={tab} pt="md">
                  <ReadAt atMs={stored.readAtMs} nowMs={nowMs} />
                  {tab === 'inbounds' && <StoredInbounds rows={stored.inbounds} />}
                  {tab === 'hosts' && <StoredHosts rows={stored.hosts} />}
                  {tab === 'nodes' && <StoredNodes rows={stored.nodes} />}
                  {tab === 'settings' && <StoredSettings rows={stored.settings} />}
                </Tabs.Panel>
              ))}
            </Tabs>
          )}
        </QueryView>
      </Stack>
    </Drawer>
  );
}

function ReadAt({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  const { t } = useTranslation('home');
  const format = useFormat();
  return (
    <Text size="xs" c="dimmed" mb="xs">
      {atMs === 0 ? t('neverRead') : t('readAt', { when: format.relative(atMs, nowMs) })}
    </Text>
  );
}
