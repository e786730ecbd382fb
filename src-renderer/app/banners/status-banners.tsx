import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';
import { desktopBridge } from '../../api/desktop.ts';
import { useStatus } from '../../pages/overview/use-status.ts';
import classes from '../shell.module.css';
import { StandbyBanner } from './standby-banner.tsx';

/** What the panel's status says on every page. */
export function StatusBanners() {
  return (
    <>
      <StandbyBanner />
      <VersionBanner />
    </>
  );
}

const versionOf = ({ panelVersion }: ServerStatus) => panelVersion;

/**
 * Says that the panel was updated while its page was open: the interface is still the earlier one, and its pages can no
 * longer be had. The window brings its interface itself.
 */
function VersionBanner() {
  const { t } = useTranslation('shell');
  const { data: version } = useStatus(versionOf);
  const [before, setBefore] = useState<string>();
  if (before === undefined && version !== undefined) setBefore(version);
  if (version === undefined || before === undefined || version === before || desktopBridge() !== null) return null;
  return (
    <Alert
      color="blue"
      title={t('updated.title', { version })}
      role="status"
      mb="md"
      className={classes['banner'] ?? ''}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t('updated.text', { before })}</Text>
        <Button size="xs" variant="default" onClick={() => location.reload()}>
          {t('broken.reload')}
        </Button>
      </Group>
    </Alert>
  );
}
