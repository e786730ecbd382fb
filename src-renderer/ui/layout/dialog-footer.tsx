import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dialog-footer.module.css';

interface DialogFooterProps {
  /** Content before the buttons. */
  note?: ReactNode;
  /** Adds a cancel button before the others. */
  onCancel?: () => void;
  children: ReactNode;
}

/** The buttons of a dialog, the action last: always in view, however long the form is. */
export function DialogFooter({ note, onCancel, children }: DialogFooterProps) {
  const { t } = useTranslation('shell');
  return (
    <Group justify="flex-end" className={classes['footer'] ?? ''}>
      {note}
      {onCancel !== undefined && (
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
      )}
      {children}
    </Group>
  );
}
