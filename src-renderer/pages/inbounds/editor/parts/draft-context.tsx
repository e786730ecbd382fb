import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { Json } from '#wire/json';
import { issueAt, type DraftState, type DraftStore } from '../../../../forms/draft/draft-store.ts';
import { readAt, textAt } from '../../../../forms/draft/json.ts';
import type { Draft } from '../../model/draft.ts';

export const DraftContext = createContext<DraftStore | null>(null);

/** The inbound being edited, for handlers: reading it here causes no render. */
export function useDraftStore(): DraftStore {
  const store = use(DraftContext);
  if (store === null) throw new Error('no inbound is being edited');
  return store;
}

/** A part of the editor's state; renders again only when that part changes. */
export function useDraftState<T>(select: (state: DraftState) => T): T {
  return useStore(useDraftStore(), select);
}

/** The value at a place of the draft: `streamSettings.wsSettings.path`. */
export function useValueAt(path: string): Json | undefined {
  return useDraftState(({ draft }) => readAt(draft, path));
}

/** The text at a place; empty where there is none. */
export function useTextAt(path: string): string {
  return useDraftState(({ draft }) => textAt(draft, path));
}

/** Why a place was refused. */
export function useIssueAt(path: string): string | undefined {
  return useDraftState(({ issues }) => issueAt(issues, path));
}

/** Marks the element that holds the field of a place, so that a refusal can link to it. */
export const placed = (path: string): { 'data-place': string } => ({ 'data-place': path });

/** The editing functions, which never change, and the draft at the time they run. */
export function useEditing(): Pick<DraftState, 'edit' | 'editMany' | 'replace'> & { current: () => Draft } {
  const store = useDraftStore();
  const { edit, editMany, replace } = store.getState();
  return { edit, editMany, replace, current: () => store.getState().draft };
}
