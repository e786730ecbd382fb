import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A text that explains or adds, quieter than what it belongs to. */
export function Hint({ size = 'sm', children }: { size?: 'xs' | 'sm'; children: ReactNode }) {
  return (
    <Text size={size} c="dimmed">
      {children}
    </Text>
  );
}
