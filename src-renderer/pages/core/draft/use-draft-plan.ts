import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { previewCoreSettings } from '#contract/coreSettings';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { isDirty } from '../../../forms/draft/draft-store.ts';
import { useDraft } from '../model/draft.ts';

/** The check starts a core, so it waits until the operator pauses. */
const PREVIEW_AFTER_MS = 700;

/** What saving the draft now would do, or why it would be refused. */
export function useDraftPlan() {
  const draft = useDraft((state) => state.draft);
  const text = useMemo(() => JSON.stringify(draft), [draft]);
  const isPreviewable = useDraft((state) => isDirty(state) && state.looseText === null);
  const [settled] = useDebouncedValue(text, PREVIEW_AFTER_MS);
  const plan = useRead(previewCoreSettings, { body: { xraySetting: settled } }, [...keys.core, 'preview', settled], {
    enabled: isPreviewable && settled === text,
    gcTime: 0,
  });
  return { ...plan, isSettled: settled === text };
}
