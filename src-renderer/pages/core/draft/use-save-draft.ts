import { notifyManager, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getCoreSettings, updateCoreSettings } from '#contract/coreSettings';
import { jsonText } from '../../../forms/draft/json.ts';
import { keys } from '../../../api/keys.ts';
import { CallError } from '../../../api/transport.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { announceCoreWarnings, announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { followTestUrl, keepDraftOver, loadDraft, useDraft, useTestUrl } from '../model/draft.ts';
import { SETTINGS_KEY } from './use-core-settings.ts';

/** Saved, but the running core has not taken it. */
const STORED_ONLY = 'coreSettings.savedNotApplied';

/**
 * Saves the draft and takes over the server's version of it. A refusal stays in `error` and changes nothing; a template that
 * another admin saved meanwhile is shown instead.
 */
export function useSaveDraft() {
  const { t } = useTranslation('core');
  const call = useCall();
  const cache = useQueryClient();
  return useMutation({
    async mutationFn() {
      const before = await call(getCoreSettings, {});
      followTestUrl(before.outboundTestUrl);
      const { draft, startText } = useDraft.getState();
      if (before.xraySetting !== startText) {
        cache.setQueryData(SETTINGS_KEY, before);
        return;
      }
      const { typed: outboundTestUrl } = useTestUrl.getState();
      try {
        const { applied, coreWarnings } = await call(updateCoreSettings, {
          body: { xraySetting: jsonText(draft), outboundTestUrl },
        });
        announceDone(t(`saved.${applied}`));
        announceCoreWarnings(coreWarnings);
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== STORED_ONLY) throw error;
        announceFailure(error);
      }
      const fresh = await call(getCoreSettings, {});
      // Both in one turn: the page would take what it still shows for a change of another admin.
      notifyManager.batch(() => {
        cache.setQueryData(SETTINGS_KEY, fresh);
        notifyManager.schedule(() => {
          // What was typed during the save is not part of it.
          const { draft: now, looseText } = useDraft.getState();
          const isAsSent = now === draft && looseText === null && useTestUrl.getState().typed === outboundTestUrl;
          (isAsSent ? loadDraft : keepDraftOver)(fresh);
        });
      });
    },
    onSettled: (_saved, error) => {
      const stale = [[...keys.core, 'balancers'], keys.outbounds, keys.status];
      const fresh = stale.map((queryKey) => cache.invalidateQueries({ queryKey }));
      // A refusal is shown without waiting for these: a panel that does not answer does not answer them either.
      return error === null ? Promise.all(fresh) : undefined;
    },
  });
}
