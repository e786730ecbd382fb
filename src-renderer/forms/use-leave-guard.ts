import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '../ui/confirm.tsx';
import { useUnloadGuard } from './use-unload-guard.ts';

/** Closing asks first while something typed would be lost. */
export function useLeaveGuard(isDirty: boolean, onClose: () => void): () => void {
  const { t } = useTranslation('shell');
  useUnloadGuard(isDirty);
  return useCallback(() => {
    if (!isDirty) return onClose();
    void confirmAction({
      title: t('leave.title'),
      text: t('leave.text'),
      action: t('leave.action'),
      cancel: t('leave.stay'),
    }).then((isLeaving) => isLeaving && onClose());
  }, [isDirty, onClose, t]);
}
