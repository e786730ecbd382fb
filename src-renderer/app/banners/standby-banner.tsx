import { Alert, Anchor, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';
import { useStatus } from '../../pages/overview/use-status.ts';
import { laterTextsLoaded } from '../../i18n/i18n.ts';
import classes from '../shell.module.css';

const activeOf = ({ standby }: ServerStatus) => standby ?? null;

/** Says on every page that this panel is on standby, and where the active one is. */
export function StandbyBanner() {
  const { t } = useTranslation('standby');
  const { data: active = null } = useStatus(activeOf);
  const [areWordsThere, setAreWordsThere] = useState(false);
  const isShown = active !== null;
  useEffect(() => {
    if (isShown) void laterTextsLoaded().then(() => setAreWordsThere(true));
  }, [isShown]);
  if (active === null || !areWordsThere) return null;
  return (
    <Alert color="blue" title={t('title')} role="status" mb="md" className={classes['banner'] ?? ''}>
      <Text size="sm">
        {active.name === '' ? t('unknown') : t('active', { name: active.name })}{' '}
        {active.address !== '' && (
          <Anchor href={active.address} dir="ltr" inherit>
            {active.address}
          </Anchor>
        )}
      </Text>
    </Alert>
  );
}
