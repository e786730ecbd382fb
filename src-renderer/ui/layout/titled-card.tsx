import { Group, Paper, Stack, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

interface TitledCardProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A framed part of a page under its own heading. */
export function TitledCard({ title, actions, children }: TitledCardProps) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
