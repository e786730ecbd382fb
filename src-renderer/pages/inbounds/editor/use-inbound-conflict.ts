import { useEffect } from 'react';
import { useStore } from 'zustand';
import { getCountedInbound } from '#contract/inbounds';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { toForm, type Draft } from '../model/draft.ts';
import { changedPaths, isSame, mergedDraft } from '../../../forms/draft/differences.ts';
import { readAt } from '../../../forms/draft/json.ts';
import { isDirty, type DraftStore } from '../../../forms/draft/draft-store.ts';

/** Of the stored inbound that an editor follows. */
export const storedKey = (id: number) => [...keys.inbounds, 'now', id];

/** Follows the stored inbound: updates an untouched editor, lists the conflict of a touched one in `fields`. */
export function useInboundConflict(store: DraftStore, id: number) {
  const start = useStore(store, (state) => state.start) ?? {};
  const isTouched = useStore(store, isDirty);
  const now = useRead(getCountedInbound, { params: { id: String(id) } }, storedKey(id), {
    enabled: id !== 0,
    // When it was deleted meanwhile, the save reports that.
    retry: false,
    gcTime: 0,
  });
  const theirs: Draft | null = now.data === undefined ? null : toForm(now.data);
  const changed = theirs === null ? [] : changedPaths(start, theirs);
  const isElsewhere = changed.length > 0;
  // As text, so that keystrokes cause no render while there is no conflict.
  const disputed = useStore(store, ({ draft }) => (theirs === null ? '' : unlike(changed, theirs, draft).join('\n')));
  useEffect(() => {
    if (now.data === undefined || !isElsewhere || isTouched) return;
    store.getState().load(toForm(now.data));
  }, [now.data, isElsewhere, isTouched, store]);
  return {
    fields: isTouched && disputed !== '' ? disputed.split('\n') : [],
    theirs,
    takeTheirs: (): void => {
      if (theirs !== null) store.getState().load(theirs);
    },
    keepMine: (): void => {
      const { draft } = store.getState();
      if (theirs !== null) store.getState().rebase(theirs, mergedDraft(start, draft, theirs));
    },
    /** Whether the stored version is still the one the editor builds on; checked before a save, which replaces it. */
    async isCurrent(): Promise<boolean> {
      if (id === 0) return true;
      const { data } = await now.refetch();
      if (data === undefined) return true;
      const stored = toForm(data);
      const { start: base, draft } = store.getState();
      return unlike(changedPaths(base ?? {}, stored), stored, draft).length === 0;
    },
  };
}

/** Changes elsewhere that differ from the draft: when our own save half succeeded, the equal values are no conflict. */
function unlike(paths: readonly string[], theirs: Draft, mine: Draft): string[] {
  return paths.filter((path) => !isSame(readAt(theirs, path), readAt(mine, path)));
}
