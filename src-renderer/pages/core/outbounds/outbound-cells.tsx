import { Badge, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OutboundTraffic } from '#contract/coreSettings';
import type { JsonObject } from '#wire/json';
import { useFormat } from '../../../i18n/format.ts';
import { readAt, textAt } from '../../../forms/draft/json.ts';
import { chainOf } from '../model/references.ts';
import { OpenByName } from '../../../ui/open-by-name.tsx';
import { addressOf } from './outbound-kinds.ts';

interface NameProps {
  outbound: JsonObject;
  isFirst: boolean;
  isOwn: boolean;
  onOpen: () => void;
}

/** Its tag with distinguishing marks. */
export function Name({ outbound, isFirst, isOwn, onOpen }: NameProps) {
  const { t } = useTranslation('core');
  const chain = chainOf(outbound);
  const tag = textAt(outbound['tag']) || t('unnamed');
  return (
    <Group gap={6}>
      {isOwn ? (
        <OpenByName name={tag} onOpen={onOpen} />
      ) : (
        <Text size="sm" fw={600}>
          <bdi>{tag}</bdi>
        </Text>
      )}
      {isFirst && (
        <Badge size="sm" variant="light" tt="none">
          {t('outbounds.default')}
        </Badge>
      )}
      {!isOwn && (
        <Badge size="sm" variant="light" color="gray" tt="none">
          {t('outbounds.subscribed')}
        </Badge>
      )}
      {chain !== '' && (
        <Badge size="sm" variant="light" color="grape" tt="none">
          {t('outbounds.via', { tag: chain })}
        </Badge>
      )}
    </Group>
  );
}

/** Protocol, transport and security. */
export function Kind({ outbound }: { outbound: JsonObject }) {
  const network = textAt(readAt(outbound, ['streamSettings', 'network']));
  const security = textAt(readAt(outbound, ['streamSettings', 'security']));
  const parts = [textAt(outbound['protocol']), network, security].filter((part) => part !== '' && part !== 'none');
  return (
    <Text size="sm">
      <bdi>{parts.join(' · ')}</bdi>
    </Text>
  );
}

/** Counted bytes; empty while there are none. */
export function Traffic({ row }: { row: OutboundTraffic | undefined }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  if (row === undefined) return null;
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      {t('outbounds.upDown', { up: format.bytes(row.up), down: format.bytes(row.down) })}
    </Text>
  );
}

/** Its server; empty for kinds without one. */
export function Address({ outbound }: { outbound: JsonObject }) {
  const address = addressOf(outbound);
  if (address === '') return null;
  return (
    <Text size="sm" maw={240} truncate>
      <bdi>{address}</bdi>
    </Text>
  );
}
