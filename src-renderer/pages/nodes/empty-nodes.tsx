import { List, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './nodes.module.css';

const STEPS = ['install', 'token', 'add'] as const;

/** Explains what a node is and how another panel becomes one. */
export function EmptyNodes({ action }: { action: ReactNode }) {
  const { t } = useTranslation('nodes');
  return (
    <Paper withBorder p="xl" maw={720} mx="auto" mt="xl">
      <Stack>
        <Title order={2} size="h4">
          {t('none.title')}
        </Title>
        <Text>{t('none.text')}</Text>
        <List type="ordered" spacing="xs" className={classes['steps'] ?? ''}>
          {STEPS.map((step) => (
            <List.Item key={step}>{t(`none.${step}`)}</List.Item>
          ))}
        </List>
        <div>{action}</div>
      </Stack>
    </Paper>
  );
}
