import { Anchor, Button, Drawer, Group, List, Stack, Tabs, Text } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hostsOfInbound } from '#contract/hosts';
import { listClientsPaged } from '#contract/clients/list';
import { getCountedInbound, listFallbacks, type CountedInbound } from '#contract/inbounds';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/format.ts';
import { JsonEditor } from '../../../ui/json/json-editor.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { isProtocol } from '#wire/protocol-catalogue';
import { Chip } from '../../../ui/palette/chip.tsx';
import { stateTone } from '../../../ui/palette/tones.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { nameOf } from './inbound-kind.ts';
import { Kind, Place, Traffic } from './inbound-parts.tsx';
import { InboundLinks } from './inbound-links.tsx';
import { NotRunning } from './not-running.tsx';
import { later } from '../../../ui/notices/later.tsx';

/** Clients shown before "and n more"; the panel sends links of as many. */
const SHOWN = 100;
const TABS = ['links', 'clients', 'hosts', 'fallbacks', 'json'] as const;

const SubjectTraffic = later(async () => (await import('../../traffic/subject-traffic.tsx')).SubjectTraffic);

/** One inbound: its links, its clients, and what belongs to it. */
export function InboundDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation(['inbounds', 'words', 'shell']);
  const inbound = useRead(getCountedInbound, { params: { id: String(id) } }, [...keys.inbounds, 'one', id]);
  return (
    <Drawer
      opened
      onClose={onClose}
      size="xl"
      title={<bdi>{inbound.data === undefined ? `#${id}` : nameOf(inbound.data)}</bdi>}
    >
      <QueryView query={inbound}>
        {(row) => (
          <Stack>
            <Group justify="space-between">
              <Stack gap={4}>
                <Group gap="xs">
                  <Kind inbound={row} />
                  <Text size="sm">
                    <Place inbound={row} />
                  </Text>
                </Group>
                <Text size="sm" component="div">
                  <Traffic inbound={row} />
                </Text>
              </Stack>
              <Button component={Link} to={`/panel/inbounds/${id}`}>
                {isProtocol(row.protocol) ? t('words:edit') : t('look')}
              </Button>
            </Group>
            <NotRunning inbound={row} />
            <Tabs defaultValue="links" keepMounted={false}>
              <Tabs.List>
                {TABS.map((tab) => (
                  <Tabs.Tab key={tab} value={tab}>
                    {t(`tab.${tab}`)}
                  </Tabs.Tab>
                ))}
                <Tabs.Tab value="traffic">{t('shell:nav.traffic')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="traffic" pt="md">
                <Suspense fallback={null}>
                  <SubjectTraffic subject="inbound" name={String(id)} title={nameOf(row)} />
                </Suspense>
              </Tabs.Panel>
              <Tabs.Panel value="links" pt="md">
                <InboundLinks id={id} />
                <MoreClients id={id} count={row.clientCount - SHOWN} />
              </Tabs.Panel>
              <Tabs.Panel value="clients" pt="md">
                <Clients row={row} />
              </Tabs.Panel>
              <Tabs.Panel value="hosts" pt="md">
                <Hosts id={id} />
              </Tabs.Panel>
              <Tabs.Panel value="fallbacks" pt="md">
                <Fallbacks id={id} />
              </Tabs.Panel>
              <Tabs.Panel value="json" pt="md">
                <JsonEditor label={t('tab.json')} value={JSON.stringify(row, null, 2)} readOnly />
              </Tabs.Panel>
            </Tabs>
          </Stack>
        )}
      </QueryView>
    </Drawer>
  );
}

function Clients({ row: { id, clientCount } }: { row: CountedInbound }) {
  const { t } = useTranslation('inbounds');
  const format = useFormat();
  const page = useRead(listClientsPaged, { query: { inbound: String(id), pageSize: String(SHOWN), sort: 'email' } }, [
    ...keys.clients,
    'of',
    id,
  ]);
  return (
    <QueryView query={page} isEmpty={({ items }) => items.length === 0} empty={<Hint>{t('drawer.noClients')}</Hint>}>
      {({ items }) => (
        <Stack gap="xs">
          <List size="sm">
            {items.map(({ email, enable, traffic }) => (
              <List.Item key={email}>
                <Anchor component={Link} to={`/panel/clients?client=${encodeURIComponent(email)}`}>
                  <bdi>{email}</bdi>
                </Anchor>{' '}
                · {format.bytes(traffic.up + traffic.down)}{' '}
                {!enable && <Chip tone={stateTone('disabled')}>{t('off')}</Chip>}
              </List.Item>
            ))}
          </List>
          <MoreClients id={id} count={clientCount - items.length} />
        </Stack>
      )}
    </QueryView>
  );
}

/** Leads to the clients of the inbound that a list here leaves out. */
function MoreClients({ id, count }: { id: number; count: number }) {
  const { t } = useTranslation('inbounds');
  if (count <= 0) return null;
  return (
    <Anchor component={Link} size="sm" to={`/panel/clients?inbound=${id}`}>
      {t('drawer.more', { count })}
    </Anchor>
  );
}

function Hosts({ id }: { id: number }) {
  const { t } = useTranslation('inbounds');
  const hosts = useRead(hostsOfInbound, { params: { inboundId: String(id) } }, [...keys.hosts, 'of', id]);
  return (
    <QueryView query={hosts} empty={<Hint>{t('drawer.noHosts')}</Hint>}>
      {(rows) => (
        <List size="sm">
          {rows.map((host) => (
            <List.Item key={host.id}>
              <Anchor component={Link} to={`/panel/hosts?host=${host.id}`}>
                <bdi>{host.remark}</bdi>
              </Anchor>
              {host.address !== '' && (
                <>
                  {' · '}
                  <bdi>{host.address}</bdi>
                </>
              )}
              {!host.enable && (
                <>
                  {' '}
                  <Chip tone={stateTone('disabled')}>{t('off')}</Chip>
                </>
              )}
            </List.Item>
          ))}
        </List>
      )}
    </QueryView>
  );
}

function Fallbacks({ id }: { id: number }) {
  const { t } = useTranslation('inbounds');
  const rules = useRead(listFallbacks, { params: { id: String(id) } }, [...keys.inbounds, 'fallbacks', id]);
  return (
    <QueryView query={rules} empty={<Hint>{t('drawer.noFallbacks')}</Hint>}>
      {(rows) => (
        <List size="sm" type="ordered">
          {rows.map((rule) => (
            <List.Item key={rule.id}>
              <bdi>
                {[rule.name, rule.alpn, rule.path].filter((word) => word !== '').join(' ') || '*'} →{' '}
                {rule.dest || `#${rule.childId}`}
              </bdi>
            </List.Item>
          ))}
        </List>
      )}
    </QueryView>
  );
}
