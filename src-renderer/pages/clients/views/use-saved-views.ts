import { useTranslation } from 'react-i18next';
import { deleteView, listViews, saveView, type SavedView } from '#contract/savedViews';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useRead } from '../../../api/use-read.ts';
import { announceUndo } from '../../../ui/undo/announce-undo.tsx';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import type { ListAddress } from '../filters/list-address.ts';
import { useColumns } from '../list/columns/column-store.ts';
import { queryOf } from './view-query.ts';

const PAGE = { page: 'clients' } as const;

/** The admin's views as the panel keeps them. */
export function useSavedViews(isNeeded: boolean) {
  const { t } = useTranslation('views');
  const saving = useChange(saveView, [keys.views]);
  const removal = useChange(deleteView, [keys.views]);
  const views = useRead(listViews, { params: PAGE }, [...keys.views, PAGE.page], { enabled: isNeeded });
  const remove = (one: SavedView): void =>
    removal.mutate(
      { params: PAGE, body: { name: one.name } },
      {
        onSuccess: () =>
          announceUndo(
            t('deleted', { name: one.name }),
            // The page may have been left.
            () => void saving.mutateAsync({ params: PAGE, body: one }).catch(announceFailure),
          ),
        onError: announceFailure,
      },
    );
  /** Saves the list as it is shown. */
  const save = (name: string, address: ListAddress, onSaved: () => void): void => {
    const { order, shown, density, widths } = useColumns.getState();
    const columns = { order: [...order], shown: [...shown], density, widths: widths as Record<string, number> };
    saving.mutate(
      { params: PAGE, body: { name, view: { query: queryOf(address), columns } } },
      {
        onSuccess: (saved) => {
          announceDone(t('saved', { name: saved.name }));
          onSaved();
        },
        onError: announceFailure,
      },
    );
  };
  return { views, isSaving: saving.isPending, save, remove };
}
