import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { announceDone, announceFailure } from '../../../ui/announce.ts';
import { announceUndo } from '../../../ui/announce-undo.tsx';
import { useBulkResult, type BulkResult } from '../bulk-result-store.ts';

interface Outcome extends BulkResult {
  /** Takes it back; undefined = that is not possible. */
  undo: (() => Promise<unknown>) | undefined;
}

/**
 * Tells what a deed came to: one line with "Undo" when everything went well, and the whole result besides when somebody was
 * skipped or may still be connected.
 */
export function useShowOutcome(): (message: string, outcome: Outcome) => void {
  const { t } = useTranslation('clientDeeds');
  const showResult = useBulkResult((state) => state.show);
  return useCallback(
    (message, { undo, ...result }) => {
      const isWhole = result.skipped.length === 0 && (result.report?.leftCount ?? 0) === 0;
      if (!isWhole) showResult(result);
      if (undo !== undefined)
        announceUndo(message, () => void undo().then(() => announceDone(t('undone')), announceFailure));
      else if (isWhole) announceDone(message);
    },
    [showResult, t],
  );
}
