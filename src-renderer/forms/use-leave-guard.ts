import { modals } from '@mantine/modals';
import { useCallback, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NavigationType } from 'react-router';
import { confirmAction } from '../ui/confirm.tsx';
import { FROM_ELSEWHERE, useLeaveBlocker } from './leave-blocker.tsx';

/** Closing a dialog asks first while typed text would be lost; so do the browser's Back, and links from elsewhere. */
export function useLeaveGuard(isDirty: boolean, onClose: () => void): () => void {
  const confirmLeave = useConfirmLeaveOnce();
  // An open dialog is in the address. Closing it with its own buttons is a step forward that was asked about, or is wanted.
  useLeaveBlocker({
    blocks: ({ historyAction, nextLocation }) =>
      isDirty && (historyAction === NavigationType.Pop || nextLocation.state === FROM_ELSEWHERE),
    confirm: confirmLeave,
  });
  useUnloadGuard(isDirty);
  return useCallback(() => {
    if (isDirty) confirmLeave(onClose);
    else onClose();
  }, [isDirty, onClose, confirmLeave]);
}

/** Asks whether typed text may be lost. While it asks, another attempt to leave does nothing. */
export function useConfirmLeaveOnce(): (leave: () => void, stay?: () => void) => void {
  const isConfirming = useRef(false);
  const openDialog = useLeaveDialog();
  return useCallback(
    (leave, stay) => {
      if (isConfirming.current) return;
      isConfirming.current = true;
      void openDialog().then((isLeaving) => {
        isConfirming.current = false;
        if (isLeaving) leave();
        else stay?.();
      });
    },
    [openDialog],
  );
}

/** Asks whether typed text may be lost. */
function useLeaveDialog(): () => Promise<boolean> {
  const { t } = useTranslation('shell');
  const id = useId();
  // A save that succeeds meanwhile closes the form: then there is nothing left to ask about.
  useEffect(() => () => modals.close(id), [id]);
  return useCallback(
    () =>
      confirmAction({
        id,
        title: t('leave.title'),
        text: t('leave.text'),
        action: t('leave.action'),
        cancel: t('leave.stay'),
      }),
    [t, id],
  );
}

/** Closing or reloading the tab asks, in the browser's own words, while typed text would be lost. */
export function useUnloadGuard(isGuarded: boolean): void {
  useEffect(() => {
    if (!isGuarded) return undefined;
    const handleUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', handleUnload);
    return () => removeEventListener('beforeunload', handleUnload);
  }, [isGuarded]);
}
