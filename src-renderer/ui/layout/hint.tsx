import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Secondary text that explains what it belongs to. */
export function Hint({ size = 'sm', children }: { size?: 'xs' | 'sm'; children: ReactNode }) {
  return (
    <Text size={size} c="dimmed">
      {children}
    </Text>
  );
}
