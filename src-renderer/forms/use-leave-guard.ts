import { useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '../ui/confirm.tsx';

/** Closing asks first while something typed would be lost. */
export function useLeaveGuard(isDirty: boolean, onClose: () => void): () => void {
  const ask = useAskToLeave();
  useUnloadGuard(isDirty);
  return useCallback(() => {
    if (!isDirty) return onClose();
    void ask().then((isLeaving) => isLeaving && onClose());
  }, [isDirty, onClose, ask]);
}

/** The question whether what is typed may be lost. */
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

/** A closed or reloaded tab asks, in the browser's own words, while something typed would be lost. */
export function useUnloadGuard(isGuarded: boolean): void {
  useEffect(() => {
    if (!isGuarded) return undefined;
    const handleUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', handleUnload);
    return () => removeEventListener('beforeunload', handleUnload);
  }, [isGuarded]);
}
