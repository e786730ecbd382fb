import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getCountedInbound } from '#contract/inbounds';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useStore } from 'zustand';
import { toForm, type Draft } from '../model/draft.ts';
import { changedPaths, mergedDraft } from '../model/edit-conflict.ts';
import { isDraftDirty, type InboundDraftStore } from './inbound-draft.ts';

/** Follows the stored inbound while it is edited. An untouched editor goes along; a touched one is asked about `fields`. */
export function useInboundConflict(store: InboundDraftStore, id: number) {
  const call = useCall();
  const start = useStore(store, (state) => state.start);
  const isDirty = useStore(store, isDraftDirty);
  const now = useQuery({
    queryKey: [...keys.inbounds, 'now', id],
    queryFn: ({ signal }) => call(getCountedInbound, { params: { id: String(id) } }, signal),
    enabled: id !== 0,
    // One that was deleted meanwhile: saving says so.
    retry: false,
    gcTime: 0,
  });
  const theirs: Draft | null = now.data === undefined ? null : toForm(now.data);
  const fields = theirs === null ? [] : changedPaths(start, theirs);
  const isElsewhere = fields.length > 0;
  useEffect(() => {
    if (now.data === undefined || !isElsewhere || isDirty) return;
    const stored = toForm(now.data);
    store.getState().rebase(stored, stored);
  }, [now.data, isElsewhere, isDirty, store]);
  return {
    fields: isDirty ? fields : [],
    theirs,
    takeTheirs: (): void => {
      if (theirs !== null) store.getState().rebase(theirs, theirs);
    },
    keepMine: (): void => {
      const { draft } = store.getState();
      if (theirs !== null) store.getState().rebase(theirs, mergedDraft(start, draft, theirs));
    },
    /** Whether what is stored this very moment is what the editor stands on; asked before a save, which replaces it. */
    async isCurrent(): Promise<boolean> {
      if (id === 0) return true;
      const { data } = await now.refetch();
      return data === undefined || changedPaths(store.getState().start, toForm(data)).length === 0;
    },
  };
}
