import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePanelRestart } from '../../pages/settings/restart/restart-store.ts';
import { useConnection } from '../../stores/connection.ts';
import classes from '../shell.module.css';

/** Says that the panel is unreachable, when it is retried, and that what was typed is kept. */
export function ConnectionBanner() {
  const { t } = useTranslation('shell');
  const isUp = useConnection((state) => state.isSocketUp);
  const isReachable = useConnection((state) => state.isReachable);
  const retry = useConnection((state) => state.retry);
  const isRestarting = usePanelRestart(({ phase }) => phase === 'running' || phase === 'slow');
  if (isUp !== false && isReachable) return null;
  const title = isRestarting ? 'connection.restarting' : isReachable ? 'connection.streamLost' : 'connection.lost';
  return (
    <Alert
      color="yellow"
      title={t(title)}
      role={isReachable ? 'status' : 'alert'}
      mb="md"
      className={classes['banner'] ?? ''}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{isReachable ? t('connection.waiting') : t('connection.writesWait')}</Text>
        {retry !== null && (
          <Group gap="xs">
            <Countdown atMs={retry.atMs} />
            <Button size="xs" variant="default" onClick={retry.now}>
              {t('connection.tryNow')}
            </Button>
          </Group>
        )}
      </Group>
    </Alert>
  );
}

/** Seconds until the next attempt. Hidden from screen readers, for which the banner is enough. */
function Countdown({ atMs }: { atMs: number }) {
  const { t } = useTranslation('shell');
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [atMs]);
  const count = Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
  return (
    <Text size="sm" aria-hidden>
      {t('connection.nextTry', { count })}
    </Text>
  );
}
