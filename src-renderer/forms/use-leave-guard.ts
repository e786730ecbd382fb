import { useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '../ui/confirm.tsx';

/** Closing asks first while typed text would be lost. */
export function useLeaveGuard(isDirty: boolean, onClose: () => void): () => void {
  const ask = useAskToLeave();
  useUnloadGuard(isDirty);
  return useCallback(() => {
    if (!isDirty) return onClose();
    void ask().then((isLeaving) => isLeaving && onClose());
  }, [isDirty, onClose, ask]);
}

/** Asks whether typed text may be lost. */
export function useAskToLeave(): () => Promise<boolean> {
  const { t } = useTranslation('shell');
  return useCallback(
    () =>
      confirmAction({
        title: t('leave.title'),
        text: t('leave.text'),
        action: t('leave.action'),
        cancel: t('leave.stay'),
      }),
    [t],
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
