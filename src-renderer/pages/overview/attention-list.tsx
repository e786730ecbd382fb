import { List, Paper, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';

/** What is stored but does not work, with the reason. */
export function AttentionList({ status }: { status: ServerStatus }) {
  const { t } = useTranslation('overview');
  const { leftOut } = status.core;
  const { problem } = status.web;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="attention">
      <Title order={2} size="h5" id="attention" mb="xs">
        {t('attention.title')}
      </Title>
      {leftOut.length === 0 && problem === '' && <Text c="dimmed">{t('attention.none')}</Text>}
      {leftOut.length > 0 && <Text size="sm">{t('core.leftOut', { count: leftOut.length })}</Text>}
      <List size="sm">
        {problem !== '' && <List.Item>{problem}</List.Item>}
        {leftOut.map(({ kind, name, reason }) => (
          <List.Item key={`${kind} ${name}`}>
            <bdi>{name}</bdi>: <bdi>{reason}</bdi>
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}
