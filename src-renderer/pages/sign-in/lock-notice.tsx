import { Alert, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { SIGN_IN_LOCK } from '#contract/session';
import { useNow } from '../../ui/use-now.ts';

const MINUTE_MS = 60_000;

/** Why this name cannot sign in now, with a countdown. */
export function LockNotice({ untilMs, onOver }: { untilMs: number; onOver: () => void }) {
  const { t } = useTranslation('signIn');
  const leftMs = untilMs - useNow();
  const isOver = leftMs <= 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  const leftSeconds = Math.max(0, Math.ceil(leftMs / 1_000));
  return (
    <Alert color="red" role="alert" title={t('lock.title')}>
      <Text size="sm">
        {t('lock.text', {
          failures: SIGN_IN_LOCK.failures,
          window: SIGN_IN_LOCK.windowMs / MINUTE_MS,
          block: SIGN_IN_LOCK.blockMs / MINUTE_MS,
        })}
      </Text>
      {/* Read out once, not every second. */}
      <Text size="sm" role="timer" aria-live="off">
        {t('lock.left', { minutes: Math.floor(leftSeconds / 60), seconds: leftSeconds % 60 })}
      </Text>
    </Alert>
  );
}
