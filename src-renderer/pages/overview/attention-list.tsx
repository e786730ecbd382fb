import { Anchor, List, Paper, Text, Title } from '@mantine/core';
import { memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { severityTone } from '../../ui/palette/tones.ts';
import classes from './overview.module.css';
import { useAttention, type Watched } from './use-attention.ts';
import { later } from '../../ui/notices/later.tsx';

const Checklist = later(async () => (await import('./checklist.tsx')).Checklist);

/** What needs the operator, each with its reason and a link to fix it. */
export const AttentionList = memo(function AttentionList(watched: Watched) {
  const { t } = useTranslation('overview');
  const { matters, isWhole } = useAttention(watched);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="attention">
      <Title order={2} size="h5" id="attention" mb="xs">
        {t('attention.title')}
      </Title>
      {matters.length === 0 && isWhole && <Text c="dimmed">{t('attention.none')}</Text>}
      <List size="sm" spacing={4}>
        {matters.map(({ id, name, reason, to }) => (
          <List.Item key={id} className={classes['matter'] ?? ''} data-tone={severityTone('warning')}>
            {name !== '' && (
              <>
                <bdi>{name}</bdi>:{' '}
              </>
            )}
            <bdi>{reason}</bdi>{' '}
            {to !== '' && (
              <Anchor
                component={Link}
                to={to}
                size="sm"
                underline="always"
                aria-label={t('attention.openOf', { name: name || reason })}
              >
                {t('attention.open')}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
      <Suspense fallback={null}>
        <Checklist />
      </Suspense>
    </Paper>
  );
});
