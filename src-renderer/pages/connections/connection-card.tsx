import { Badge, Button, ColorSwatch, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ConnectionView, Reach, TrustView } from '../../../src-main/bridge/contract.ts';
import { requireDesktop } from '../../api/desktop.ts';
import { keys } from '../../api/keys.ts';
import { useFormat } from '../../i18n/format.ts';
import { addressToAdd } from '../nodes/editor/node-form.ts';
import { Hint } from '../../ui/layout/hint.tsx';

const REACH_EVERY_MS = 30_000;
const BADGES: Record<Reach['state'], string> = {
  ok: 'teal.9',
  refused: 'yellow.9',
  untrusted: 'red.9',
  unreachable: 'gray.7',
  wrong: 'red.9',
};

interface CardProps {
  connection: ConnectionView;
  onUse: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

/** One panel: its name, whether it answers, and its actions. */
export function ConnectionCard({ connection, onUse, onEdit, onRemove }: CardProps) {
  const { t } = useTranslation(['desktop', 'connect', 'shell']);
  const format = useFormat();
  const { id, color, address, trust, isCurrent, lastUsedAtMs } = connection;
  const name = id === 'local' ? t('local') : connection.name;
  const reach = useQuery({
    queryKey: [...keys.connections, 'reach', id],
    queryFn: () => requireDesktop().connections.reach(id),
    refetchInterval: REACH_EVERY_MS,
  });
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" wrap="wrap">
        <Group gap="sm">
          <ColorSwatch color={`var(--mantine-color-${color}-6)`} size={16} />
          <Stack gap={2}>
            <Group gap="xs">
              <Text fw={600}>
                <bdi>{name}</bdi>
              </Text>
              {reach.data !== undefined && (
                <Badge color={BADGES[reach.data.state]} title={reach.data.detail}>
                  {reach.data.state === 'wrong' ? t('connect:wrong') : t(`reach.${reach.data.state}`)}
                </Badge>
              )}
            </Group>
            <Hint size="xs">
              <bdi>{address === '' ? t('notRunning') : address}</bdi>
              {reach.data !== undefined && reach.data.version !== '' && (
                <>
                  {' · '}
                  <bdi>{reach.data.version}</bdi>
                  {' · '}
                  <bdi>{reach.data.ms} ms</bdi>
                </>
              )}
              {lastUsedAtMs > 0 && ` · ${t('lastUsed', { when: format.dateTime(lastUsedAtMs) })}`}
            </Hint>
          </Stack>
        </Group>
        <Group gap="xs">
          {isCurrent && address !== '' ? (
            <Hint>{t('current')}</Hint>
          ) : (
            <Button size="xs" onClick={onUse}>
              {address === '' ? t('welcome.local') : t('use')}
            </Button>
          )}
          {id === 'local' && isCurrent && address !== '' && (
            <Button size="xs" variant="default" component={Link} to="/panel/first-run?step=network">
              {t('network')}
            </Button>
          )}
          {id !== 'local' && (
            <>
              {!isCurrent && (
                <Button
                  size="xs"
                  variant="default"
                  component={Link}
                  to={addressToAdd({ name, address, pin: pinOf(trust) })}
                >
                  {t('asNode')}
                </Button>
              )}
              <Button size="xs" variant="default" onClick={onEdit}>
                {t('edit')}
              </Button>
              <Button size="xs" variant="default" onClick={onRemove}>
                {t('remove.short')}
              </Button>
            </>
          )}
        </Group>
      </Group>
    </Paper>
  );
}

/** The certificate pinned for the panel; empty = the usual check. */
function pinOf(trust: TrustView): string {
  return trust.mode === 'verify' ? '' : (trust.fingerprint ?? '');
}
