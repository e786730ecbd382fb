import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Translations of the editor's own panels, by their English text. */
export function usePhrases(): Record<string, string> {
  const { t } = useTranslation(['jsonEditor', 'shell']);
  return useMemo(
    () => ({
      Find: t('find'),
      Replace: t('replaceWith'),
      next: t('next'),
      previous: t('previous'),
      all: t('all'),
      'match case': t('matchCase'),
      'by word': t('byWord'),
      regexp: t('regexp'),
      replace: t('replace'),
      'replace all': t('replaceAll'),
      close: t('shell:close'),
      'Go to line': t('goToLine'),
      go: t('go'),
      'Folded lines': t('folded'),
      'Unfolded lines': t('unfolded'),
      'Fold line': t('fold'),
      'Unfold line': t('unfold'),
      unfold: t('unfold'),
      'folded code': t('folded'),
      'current match': t('currentMatch'),
      'on line': t('onLine'),
      'No diagnostics': t('noErrors'),
      Diagnostics: t('errors'),
      Completions: t('completions'),
    }),
    [t],
  );
}
