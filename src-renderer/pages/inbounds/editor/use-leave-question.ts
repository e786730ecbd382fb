import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { confirmDeed } from '../../../ui/confirm.tsx';

/** Asks before typed text is lost, whichever way the page is left; a closed or reloaded tab in the browser's own words. */
export function useLeaveQuestion(isGuarded: boolean): void {
  const { t } = useTranslation('shell');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isGuarded && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirmDeed({
      title: t('leave.title'),
      text: t('leave.text'),
      deed: t('leave.deed'),
      cancel: t('leave.stay'),
    }).then((isLeaving) => (isLeaving ? blocker.proceed() : blocker.reset()));
  }, [blocker, t]);
  useEffect(() => {
    if (!isGuarded) return undefined;
    const handleUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', handleUnload);
    return () => removeEventListener('beforeunload', handleUnload);
  }, [isGuarded]);
}
