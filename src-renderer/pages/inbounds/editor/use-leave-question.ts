import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { useUnloadGuard } from '../../../forms/use-unload-guard.ts';
import { confirmAction } from '../../../ui/confirm.tsx';

/**
 * Asks before typed text is lost, whichever way the page is left, also while a save is under way.
 * @returns what lets the page go without asking, once everything is stored
 */
export function useLeaveQuestion(isGuarded: boolean): () => void {
  // Read when the page is left, which may be before it is drawn again.
  const isLetGo = useRef(false);
  const { t } = useTranslation('shell');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isGuarded && !isLetGo.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirmAction({
      title: t('leave.title'),
      text: t('leave.text'),
      action: t('leave.action'),
      cancel: t('leave.stay'),
    }).then((isLeaving) => (isLeaving ? blocker.proceed() : blocker.reset()));
  }, [blocker, t]);
  useUnloadGuard(isGuarded);
  return useCallback(() => {
    isLetGo.current = true;
  }, []);
}
