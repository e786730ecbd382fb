import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { PanelCard, PanelMatter } from '../../../../src-main/bridge/panels.ts';
import { useFormat } from '../../../i18n/format.ts';

/** Words for a panel's state and for what needs the operator. */
export function usePanelWords() {
  const { t } = useTranslation('home');
  const format = useFormat();
  const matterWords = useCallback(
    ({ kind, name, value, words }: PanelMatter): string => {
      const when = value > 0 ? format.date(value) : '';
      const text = t(`matter.${kind}`, { name, when, count: value });
      return words === '' || words === name ? text : `${text} ${words}`;
    },
    [t, format],
  );
  const stateWords = useCallback(({ state }: PanelCard): string => t(`state.${state}`), [t]);
  return { matterWords, stateWords };
}
