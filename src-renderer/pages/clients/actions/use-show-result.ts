import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { announceUndo } from '../../../ui/undo/announce-undo.tsx';
import { takeChanges } from '../../../ui/undo/last-change.ts';
import { useBulkResult, type ShownResult } from '../bulk/bulk-result-store.ts';

interface ActionResult extends ShownResult {
  /** Takes it back; undefined = that is not possible. */
  undo: (() => Promise<unknown>) | undefined;
}

/**
 * Tells what an action came to: one line with "Undo" when everything went well, and the whole result besides when somebody was
 * skipped or may still be connected.
 */
export function useShowResult(): (message: string, result: ActionResult) => void {
  const { t } = useTranslation('clientActions');
  const showResult = useBulkResult((state) => state.show);
  return useCallback(
    (message, { undo, ...result }) => {
      const isWhole = result.skipped.length === 0 && (result.report?.leftCount ?? 0) === 0;
      if (!isWhole) showResult(result);
      if (undo === undefined) {
        if (isWhole) announceDone(message);
        return;
      }
      // This offer is about these changes: a later notification must not offer to undo them again.
      takeChanges();
      const announceUndone = (): void => {
        takeChanges();
        announceDone(t('undone'));
      };
      announceUndo(message, () => void undo().then(announceUndone, announceFailure));
    },
    [showResult, t],
  );
}
