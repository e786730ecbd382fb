import { Alert, List, ScrollArea, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OutboundSubPreview } from '#contract/outboundSubs';
import type { JsonObject } from '#wire/json';
import { textAt } from '../../../forms/draft/json.ts';
import { addressOf } from '../outbounds/outbound-kinds.ts';

/** The outbounds a subscription would bring, and those the core would refuse. */
export function PreviewList({ preview }: { preview: OutboundSubPreview }) {
  const { t } = useTranslation('core');
  const outbounds = preview.outbounds as JsonObject[];
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} role="status">
        {t('subs.brings', { count: outbounds.length })}
      </Text>
      <ScrollArea.Autosize mah={240}>
        <List size="sm">
          {outbounds.map((outbound) => (
            <List.Item key={textAt(outbound['tag'])}>
              <bdi>{textAt(outbound['tag'])}</bdi> · <bdi>{textAt(outbound['protocol'])}</bdi> ·{' '}
              <bdi>{addressOf(outbound)}</bdi>
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
      {preview.leftOut.length > 0 && (
        <Alert color="yellow" title={t('subs.leftOut', { count: preview.leftOut.length })}>
          {preview.leftOut.map(({ tag, reason }) => (
            <Text key={`${tag} ${reason}`} size="sm">
              <bdi>{tag}</bdi>: <bdi>{reason}</bdi>
            </Text>
          ))}
        </Alert>
      )}
    </Stack>
  );
}
