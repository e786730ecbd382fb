import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkDeleteClients } from '#contract/clients';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { announceFailure } from '../../ui/announce.ts';
import { confirmDeed } from '../../ui/confirm.tsx';
import { useBulkResult } from './bulk-result-store.ts';
import { useSelection } from './selection-store.ts';

/** Asks, deletes and shows what came of it. Resolves false when the answer was no. */
export function useDeleteClients(): (emails: readonly string[]) => Promise<boolean> {
  const { t } = useTranslation(['clients', 'shell']);
  const { mutate } = useChange(bulkDeleteClients, [keys.clients, keys.groups, keys.inbounds]);
  return useCallback(
    async (emails) => {
      const count = emails.length;
      const isSure = await confirmDeed({
        title: t('deleteMany.title', { count }),
        text: t('deleteMany.text'),
        deed: t('deleteMany.deed', { count }),
        cancel: t('shell:cancel'),
      });
      if (!isSure) return false;
      mutate(
        { query: { sessions: 'cut' }, body: { emails: [...emails] } },
        {
          onSuccess: ({ deleted, skipped, sessionReport }) => {
            useSelection.getState().set(emails, false);
            useBulkResult.getState().show({ done: deleted, skipped, leftOpen: sessionReport?.leftCount ?? 0 });
          },
          onError: announceFailure,
        },
      );
      return true;
    },
    [t, mutate],
  );
}
