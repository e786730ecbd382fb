import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog-footer.module.css';

/** The buttons of a dialog, the action last: always in view, however long the form above is. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" className={classes['footer'] ?? ''}>
      {children}
    </Group>
  );
}
