import { Alert, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Host, HostGroup } from '#contract/hosts';
import type * as z from 'zod';
import { previewHost } from '#contract/subscriptions';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { toContent, type HostForm } from './host-form.ts';
import classes from '../hosts.module.css';
import { Hint } from '../../../ui/layout/hint.tsx';

const WAIT_MS = 300;
type PreviewBody = z.input<typeof previewHost.body>;

interface HostPreviewProps {
  values: HostForm;
  isGroup: boolean;
  stored: Host | HostGroup | null;
}

/** The link clients would get, built by the server from the typed values. */
export function HostPreview({ values, isGroup, stored }: HostPreviewProps) {
  const { t } = useTranslation('hosts');
  const { inboundIds, hosts, address, port, remark } = values;
  const typed = JSON.stringify({
    inboundId: Number(inboundIds[0] ?? 0),
    ...(isGroup && hosts[0] !== undefined ? { entry: hosts[0] } : {}),
    // The preview must not wait for a name.
    host: { ...toContent(values, stored), remark: remark.trim() || '…', address: isGroup ? '' : address, port },
  });
  const [settled] = useDebouncedValue(typed, WAIT_MS);
  const preview = useRead(
    previewHost,
    { body: JSON.parse(settled) as PreviewBody },
    [...keys.hosts, 'preview', settled],
    {
      enabled: inboundIds.length > 0,
      placeholderData: keepPreviousData,
      retry: false,
      gcTime: 0,
    },
  );
  if (inboundIds.length === 0) return null;
  const { data, error } = preview;
  return (
    <Stack gap={4} component="section" aria-label={t('preview.title')}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {t('preview.title')}
        </Text>
        {data !== undefined && (
          <Hint size="xs">{data.email === '' ? t('preview.invented') : t('preview.of', { email: data.email })}</Hint>
        )}
      </Group>
      {error !== null && (
        <Alert color="yellow" variant="outline">
          <bdi>{error.message}</bdi>
        </Alert>
      )}
      {error === null && data !== undefined && (
        <div className={classes['link']} dir="ltr" tabIndex={0}>
          {data.link === '' ? data.reason : data.link}
        </div>
      )}
    </Stack>
  );
}
