import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says why there is nothing, and what to do about it. */
export function EmptyState({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <Stack align="center" py={72} px="md" gap="md">
      <Text c="dimmed" ta="center" maw={480}>
        {text}
      </Text>
      {action}
    </Stack>
  );
}
