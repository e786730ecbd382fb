import { Button, Modal, NumberInput, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
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
  const [wished, setWished] = useState<number | string>(position);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onMove(Math.min(count, Math.max(1, Number(wished))));
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('move.title', { name })}>
      <form onSubmit={handleSubmit}>
        <Stack>
          <NumberInput
            label={t('move.position', { count })}
            min={1}
            max={count}
            allowDecimal={false}
            value={wished}
            onChange={setWished}
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
