import { useTranslation } from 'react-i18next';
import { restartCoreService, stopCoreService } from '#contract/server';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';

const STALE = [keys.status, [...keys.core, 'balancers'], [...keys.core, 'output']];

interface CoreVerb {
  label: string;
  isPending: boolean;
  onClick: () => void;
}

/** Actions on the core: start or restart, and stop, which asks first. `stop` is null while the core does not run. */
export function useCoreVerbs(isRunning: boolean): { restart: CoreVerb; stop: CoreVerb | null } {
  const { t } = useTranslation('overview');
  const restart = useChange(restartCoreService, STALE);
  const stop = useChange(stopCoreService, STALE);
  const handleStop = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('core.stopTitle'),
      text: t('core.stopText'),
      action: t('core.stopIt'),
    });
    if (isSure) stop.mutate({}, { onError: announceFailure });
  };
  return {
    restart: {
      label: t(isRunning ? 'core.restart' : 'core.start'),
      isPending: restart.isPending,
      onClick: () => restart.mutate({}, { onError: announceFailure }),
    },
    stop: isRunning ? { label: t('core.stopIt'), isPending: stop.isPending, onClick: () => void handleStop() } : null,
  };
}
