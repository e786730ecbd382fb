import { Button, Modal, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../forms/number-field.tsx';
import { DialogFooter } from '../../ui/layout/dialog-footer.tsx';

interface MoveDialogProps {
  name: string;
  /** From 1. */
  position: number;
  count: number;
  onMove: (position: number) => void;
  onClose: () => void;
}

/** Moves a row to a typed position: dragging through a long list is slow. */
export function MoveDialog({ name, position, count, onMove, onClose }: MoveDialogProps) {
  const { t } = useTranslation('hosts');
  const [wanted, setWanted] = useState(position);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onMove(wanted);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('move.title', { name })}>
      <form onSubmit={handleSubmit}>
        <Stack>
          <NumberField
            label={t('move.position', { count })}
            min={1}
            max={count}
            value={wanted}
            onChange={(next) => setWanted(next)}
            data-autofocus
          />
          <DialogFooter onCancel={onClose}>
            <Button type="submit">{t('move.action')}</Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
