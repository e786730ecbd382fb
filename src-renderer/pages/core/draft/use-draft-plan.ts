import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { previewCoreSettings } from '#contract/coreSettings';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { isDirty, useDraft } from '../model/draft-store.ts';

/** The check runs the core itself: it waits until the operator pauses. */
const PREVIEW_AFTER_MS = 700;

/** What saving the draft as it stands would do, or why it would be refused. */
export function useDraftPlan() {
  const call = useCall();
  const revision = useDraft((draft) => draft.revision);
  const isAsked = useDraft((draft) => isDirty(draft) && draft.looseText === null);
  const [settled] = useDebouncedValue(revision, PREVIEW_AFTER_MS);
  const plan = useQuery({
    queryKey: [...keys.core, 'preview', settled],
    queryFn: ({ signal }) =>
      call(previewCoreSettings, { body: { xraySetting: JSON.stringify(useDraft.getState().template) } }, signal),
    enabled: isAsked && settled === revision,
    gcTime: 0,
  });
  return { ...plan, isSettled: settled === revision };
}
