import { Button, Group, Menu, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Json } from '#wire/json';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { useDraft } from '../model/draft.ts';
import { withMember, type Path } from '../../../forms/draft/json.ts';
import { ChoiceField, SwitchField, TextField } from '../parts/fields.tsx';
import { FakeIpPools } from './fake-ip-pools.tsx';
import { HostTable } from './host-table.tsx';
import { QUERY_STRATEGIES } from './dns-servers.ts';
import { ServerEditor } from './server-editor.tsx';
import { ServerList } from './server-list.tsx';

/** Presets of servers to start from. */
const PRESETS: Readonly<Record<string, string[]>> = {
  'Cloudflare DoH': ['https://1.1.1.1/dns-query', 'https://1.0.0.1/dns-query'],
  'Google DoH': ['https://8.8.8.8/dns-query', 'https://8.8.4.4/dns-query'],
  'Quad9 DoH': ['https://9.9.9.9/dns-query', 'https://149.112.112.112/dns-query'],
  'AdGuard DoH': ['https://94.140.14.14/dns-query', 'https://94.140.15.15/dns-query'],
};

/** How the core itself resolves names; absent, the system's resolver does it. */
export function DnsSection() {
  const { t } = useTranslation('core');
  const template = useDraft(({ draft }) => draft);
  const edit = useDraft((draft) => draft.change);
  const editor = useDialogParam('server');
  const isOn = template['dns'] !== undefined;
  const at = (path: Path, label: string) => ({
    root: template,
    path: ['dns', ...path],
    label,
    onEdit: (next: typeof template, field: string) => edit(() => next, field),
  });
  const start = (servers: Json[]): void => edit((before) => withMember(before, 'dns', { servers }));
  return (
    <Stack>
      <Switch
        label={t('dns.on')}
        description={t('dns.onHint')}
        checked={isOn}
        onChange={(event) =>
          event.currentTarget.checked ? start(['localhost']) : edit((before) => withMember(before, 'dns', undefined))
        }
      />
      {!isOn && <EmptyState text={t('dns.off')} action={<Presets onChoose={start} />} />}
      {isOn && (
        <>
          <TitledCard
            title={t('dns.servers')}
            actions={
              <Group gap="xs">
                <Presets
                  onChoose={(servers) =>
                    edit((before) => ({ ...before, dns: withMember(before['dns'] as never, 'servers', servers) }))
                  }
                />
                <Button onClick={() => editor.open('new')}>{t('dns.addServer')}</Button>
              </Group>
            }
          >
            <ServerList onOpen={editor.open} />
          </TitledCard>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <TitledCard title={t('dns.options')}>
              <ChoiceField
                {...at(['queryStrategy'], t('dns.queryStrategy'))}
                options={QUERY_STRATEGIES}
                placeholder="UseIP"
              />
              <TextField {...at(['clientIp'], t('dns.clientIp'))} />
              <TextField {...at(['tag'], t('field.tag'))} />
              <SwitchField {...at(['disableCache'], t('dns.disableCache'))} />
              <SwitchField {...at(['disableFallback'], t('dns.disableFallback'))} />
              <SwitchField {...at(['disableFallbackIfMatch'], t('dns.disableFallbackIfMatch'))} />
              <SwitchField {...at(['useSystemHosts'], t('dns.useSystemHosts'))} />
            </TitledCard>
            <HostTable />
          </SimpleGrid>
        </>
      )}
      <FakeIpPools />
      {editor.value !== null && <ServerEditor key={editor.value} which={editor.value} onClose={editor.close} />}
    </Stack>
  );
}

function Presets({ onChoose }: { onChoose: (servers: Json[]) => void }) {
  const { t } = useTranslation('core');
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default">{t('dns.presets')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(PRESETS).map(([name, servers]) => (
          <Menu.Item key={name} onClick={() => onChoose(servers)}>
            {name}{' '}
            <Text span size="xs" c="dimmed">
              <bdi>{servers[0]}</bdi>
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
