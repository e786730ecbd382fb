import { Card, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { nameOf } from './inbound-kind.ts';
import type { InboundListProps } from './list-props.ts';
import { useServers } from '../use-servers.ts';
import { InboundMenu } from './verbs/inbound-menu.tsx';
import { NotRunning } from './not-running.tsx';
import { ClientCount, EnableSwitch, Kind, NameButton, Place, RunsOn, Traffic } from './inbound-parts.tsx';

/** The inbounds as cards, for narrow screens. */
export function InboundCards({ rows, actions, selected, onSelect, onOpen, nodeNames }: InboundListProps) {
  const { t } = useTranslation(['inbounds', 'words']);
  const hasPlaces = useServers().size > 1 || nodeNames.size > 0;
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {rows.map((inbound) => (
        <Card key={inbound.id} component="li" withBorder padding="sm">
          <Group justify="space-between" wrap="nowrap" align="start">
            <Group gap="sm" wrap="nowrap" align="start">
              <Checkbox
                mt={4}
                aria-label={t('words:selectNamed', { name: nameOf(inbound) })}
                checked={selected.has(inbound.id)}
                onChange={(event) => onSelect([inbound], event.currentTarget.checked)}
              />
              <NameButton inbound={inbound} onOpen={() => onOpen(inbound.id)} />
            </Group>
            <Group gap={4} wrap="nowrap">
              <EnableSwitch inbound={inbound} actions={actions} />
              <InboundMenu inbound={inbound} actions={actions} />
            </Group>
          </Group>
          <NotRunning inbound={inbound} />
          <Group gap="xs" mt="xs">
            <Kind inbound={inbound} />
          </Group>
          <Text size="sm" mt={6} component="div">
            {t('column.port')}: <Place inbound={inbound} /> · {t('column.clients')}: <ClientCount inbound={inbound} />
          </Text>
          {hasPlaces && (
            <Text size="sm" component="div">
              {t('column.node')}: <RunsOn inbound={inbound} nodeNames={nodeNames} />
            </Text>
          )}
          <Text size="sm" component="div">
            <Traffic inbound={inbound} />
          </Text>
        </Card>
      ))}
    </Stack>
  );
}
