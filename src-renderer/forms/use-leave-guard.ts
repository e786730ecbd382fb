import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmDeed } from '../ui/confirm.tsx';

/** Closing asks first while something typed would be lost. */
export function useLeaveGuard(isDirty: boolean, onClose: () => void): () => void {
  const { t } = useTranslation('shell');
  return useCallback(() => {
    if (!isDirty) return onClose();
    void confirmDeed({
      title: t('leave.title'),
      text: t('leave.text'),
      deed: t('leave.deed'),
      cancel: t('leave.stay'),
    }).then((isLeaving) => isLeaving && onClose());
  }, [isDirty, onClose, t]);
}
