import { Button, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { RunningJobs } from '../../app/jobs-tray.tsx';
import { FormFields } from '../../forms/form-fields.tsx';
import { useLeaveGuard } from '../../forms/use-leave-guard.ts';
import { DialogFooter } from '../../ui/layout/dialog-footer.tsx';
import { SaveWaits, useSaveWaits } from '../../ui/notices/save-waits.tsx';
import { Failure } from '../../ui/notices/failure.tsx';

interface DialogFrameProps {
  title: string;
  /** Names the action on the button. */
  action: string;
  /** Whether it cannot be undone, or cuts clients off. */
  isDangerous?: boolean;
  error: Error | null;
  isBusy: boolean;
  isReady: boolean;
  /** Kind of the job that does the action: shown with its progress while the dialog waits for it. */
  job?: string;
  /** Whether closing would lose what was typed. */
  isDirty?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A short dialog with one action: fields, why it was refused, and the two buttons. */
export function DialogFrame(props: DialogFrameProps) {
  const {
    title,
    action,
    isDangerous = false,
    error,
    isBusy,
    isReady,
    job,
    isDirty = false,
    onSubmit,
    onClose,
    children,
  } = props;
  const handleClose = useLeaveGuard(isDirty, onClose);
  const isWaiting = useSaveWaits();
  // The action would go on without the dialog, and nobody would see how it ended. A panel that is gone ends nothing.
  const isHeld = isBusy && !isWaiting;
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened onClose={isHeld ? () => undefined : handleClose} title={title}>
      <form onSubmit={handleSubmit}>
        <Stack>
          <Failure error={error} />
          <FormFields isSaving={isBusy}>{children}</FormFields>
          <DialogFooter
            note={
              <>
                {isBusy && job !== undefined && <RunningJobs kind={job} />}
                <SaveWaits />
              </>
            }
            {...(isHeld ? {} : { onCancel: handleClose })}
          >
            <Button
              type="submit"
              loading={isBusy}
              disabled={!isReady || isWaiting}
              {...(isDangerous ? { color: 'red.9' } : {})}
            >
              {action}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
