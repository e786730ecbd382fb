import { useEffect } from 'react';
import { create } from 'zustand';
import type { CoreSettings } from '#contract/coreSettings';
import { createDraft, isDirty } from '../../../forms/draft/draft-store.ts';

/** One draft across all sections. It outlives the page, so that switching sections loses nothing. */
export const useDraft = createDraft();

/** The address for testing outbounds: saved with the template, but not part of it. */
export const useTestUrl = create(() => ({ stored: '', typed: '' }));

export function useIsUnsaved(): boolean {
  const isUrlTyped = useTestUrl(({ stored, typed }) => typed !== stored);
  return useDraft(isDirty) || isUrlTyped;
}

/** How many open dialogs name an entry of the draft by its place. */
export const useHolds = create(() => ({ count: 0 }));

/** While this dialog is open the draft stands still: the entry that it names must keep its place. */
export function useHoldDraft(): void {
  useEffect(() => {
    const add = (change: number): void => useHolds.setState(({ count }) => ({ count: count + change }));
    add(1);
    return () => add(-1);
  }, []);
}

export function loadDraft({ xraySetting, outboundTestUrl }: CoreSettings): void {
  useDraft.getState().load(xraySetting);
  useTestUrl.setState({ stored: outboundTestUrl, typed: outboundTestUrl });
}

/** The stored address may change without the template; one that is typed here stays. */
export function followTestUrl(url: string): void {
  useTestUrl.setState(({ stored, typed }) => ({ stored: url, typed: typed === stored ? url : typed }));
}

/** The stored template has changed: the draft stays, and its differences from the new one are the changes. */
export function keepDraftOver({ xraySetting, outboundTestUrl }: CoreSettings): void {
  useDraft.getState().rebase(xraySetting);
  useTestUrl.setState({ stored: outboundTestUrl });
}

export function discardDraft(): void {
  useDraft.getState().discard();
  useTestUrl.setState(({ stored }) => ({ typed: stored }));
}
