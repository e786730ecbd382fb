import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './hint.module.css';

/** Secondary text that explains what it belongs to. */
export function Hint({ size = 'sm', children }: { size?: 'xs' | 'sm'; children: ReactNode }) {
  return (
    <Text size={size} c="dimmed" className={classes['hint'] ?? ''}>
      {children}
    </Text>
  );
}
