import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReachabilityWay } from '../../../../src-main/bridge/maintenance.ts';

const OWN = ['noClient', 'noLink', 'noOwnLink'] as const;

/** Why a way was not tried, or failed: our text, else the core's. */
export function useWayWords(): (way: Pick<ReachabilityWay, 'words'>) => string {
  const { t } = useTranslation('vantage');
  return useCallback(
    ({ words }) => {
      const own = OWN.find((each) => each === words);
      return own === undefined ? words : t(`why.${own}`);
    },
    [t],
  );
}
