import { Anchor, List, Paper, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ServerStatus } from '#contract/server';
import { useAttention } from './use-attention.ts';

/** What waits for the operator, each with its reason and the page that mends it. */
export function AttentionList({ status }: { status: ServerStatus }) {
  const { t } = useTranslation('overview');
  const matters = useAttention(status);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="attention">
      <Title order={2} size="h5" id="attention" mb="xs">
        {t('attention.title')}
      </Title>
      {matters.length === 0 && <Text c="dimmed">{t('attention.none')}</Text>}
      <List size="sm" spacing={4}>
        {matters.map(({ id, name, reason, to }) => (
          <List.Item key={id}>
            {name !== '' && (
              <>
                <bdi>{name}</bdi>:{' '}
              </>
            )}
            <bdi>{reason}</bdi>{' '}
            {to !== '' && (
              <Anchor component={Link} to={to} size="sm" aria-label={t('attention.openOf', { name: name || reason })}>
                {t('attention.open')}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}
