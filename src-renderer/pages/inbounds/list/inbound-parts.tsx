import { Anchor, Group, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CountedInbound } from '#contract/inbounds';
import { useFormat } from '../../../i18n/format.ts';
import { hostAndPort } from '#wire/host-and-port';
import { serverNow } from '../../../stores/server-clock.ts';
import { Chip } from '../../../ui/palette/chip.tsx';
import { Directions } from '../../../ui/palette/directions.tsx';
import { kindTone } from '../../../ui/palette/tones.ts';
import { OpenByName } from '../../../ui/open-by-name.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { kindOf, nameOf } from './inbound-kind.ts';
import type { InboundActions } from './verbs/use-inbound-actions.ts';
import { useServers } from '../use-servers.ts';

/** What rows and cards show of an inbound. */
export interface InboundPartProps {
  inbound: CountedInbound;
  actions: InboundActions;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onOpen: () => void;
  /** Names of nodes by id; empty while there are none. */
  nodeNames: ReadonlyMap<number, string>;
}

export function EnableSwitch({ inbound, actions }: Pick<InboundPartProps, 'inbound' | 'actions'>) {
  const { t } = useTranslation('inbounds');
  return (
    <Switch
      checked={inbound.enable}
      aria-label={t('toggle', { name: nameOf(inbound) })}
      onChange={(event) => void actions.setEnable([inbound], event.currentTarget.checked)}
    />
  );
}

export function NameButton({ inbound, onOpen }: Pick<InboundPartProps, 'inbound' | 'onOpen'>) {
  return (
    <div>
      <OpenByName name={nameOf(inbound)} onOpen={onOpen} />
      <Hint size="xs">
        <bdi>{inbound.tag}</bdi>
      </Hint>
    </div>
  );
}

export function Kind({ inbound }: Pick<InboundPartProps, 'inbound'>) {
  return (
    <Group gap={4}>
      {kindOf(inbound).map((word) => (
        <Chip key={word} tone={kindTone(word)}>
          {word}
        </Chip>
      ))}
    </Group>
  );
}

export function Place({ inbound }: Pick<InboundPartProps, 'inbound'>) {
  return <bdi>{hostAndPort(inbound.listen, inbound.port)}</bdi>;
}

/** The panel whose core runs it. */
export function RunsOn({ inbound, nodeNames }: Pick<InboundPartProps, 'inbound' | 'nodeNames'>) {
  const { t } = useTranslation('inbounds');
  const servers = useServers();
  const { nodeId, serverId } = inbound;
  if (serverId) return <bdi>{servers.get(serverId)?.name ?? serverId}</bdi>;
  if (nodeId === null)
    return <span style={{ whiteSpace: 'nowrap' }}>{t(servers.size > 1 ? 'activeServer' : 'here')}</span>;
  return (
    <Anchor component={Link} to={`/panel/nodes?show=${nodeId}`} size="sm" underline="always">
      <bdi>{nodeNames.get(nodeId) ?? `#${nodeId}`}</bdi>
    </Anchor>
  );
}

export function ClientCount({ inbound }: Pick<InboundPartProps, 'inbound'>) {
  const format = useFormat();
  const { t } = useTranslation('inbounds');
  const { clientCount: count, onlineCount } = inbound;
  if (count === 0) return <>{format.number(0)}</>;
  return (
    <Anchor
      component={Link}
      to={`/panel/clients?inbound=${inbound.id}`}
      underline="always"
      // Large enough for a finger; the line stays as high as its text.
      py={6}
      aria-label={t('clientsOf', { name: nameOf(inbound), count, online: format.number(onlineCount) })}
    >
      {t('onlineOf', { online: format.number(onlineCount), count: format.number(count) })}
    </Anchor>
  );
}

export function Traffic({ inbound }: Pick<InboundPartProps, 'inbound'>) {
  const format = useFormat();
  const { t } = useTranslation('inbounds');
  const isOver = inbound.expiryTime > 0 && inbound.expiryTime <= serverNow();
  return (
    <>
      <Directions up={inbound.up} down={inbound.down} />
      {inbound.total > 0 && ` / ${format.bytes(inbound.total)}`}
      {inbound.expiryTime > 0 && (
        <Text size="xs" c={isOver ? 'var(--mantine-color-error)' : 'dimmed'}>
          {t(isOver ? 'ended' : 'until', { date: format.date(inbound.expiryTime) })}
        </Text>
      )}
    </>
  );
}
