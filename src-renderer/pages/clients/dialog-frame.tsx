import { Alert, Button, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../../stores/connection.ts';
import { DialogFooter } from '../../ui/dialog-footer.tsx';

interface DialogFrameProps {
  title: string;
  /** Names the deed on the button. */
  deed: string;
  /** Whether it cannot be taken back, or hurts somebody. */
  isDangerous?: boolean;
  error: Error | null;
  isBusy: boolean;
  isReady: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A short dialog with one deed: fields, why it was refused, and the two buttons. */
export function DialogFrame(props: DialogFrameProps) {
  const { title, deed, isDangerous = false, error, isBusy, isReady, onSubmit, onClose, children } = props;
  const { t } = useTranslation('shell');
  const isReachable = useConnection((state) => state.isReachable);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={handleSubmit}>
        <Stack>
          {error !== null && <Alert color="red">{error.message}</Alert>}
          {children}
          <DialogFooter>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={!isReady || !isReachable}
              {...(isDangerous ? { color: 'red.9' } : {})}
            >
              {deed}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
