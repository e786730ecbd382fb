import { create } from 'zustand';
import type { CoreSettings } from '#contract/coreSettings';
import { createDraft, isDirty } from '../../../forms/draft/draft-store.ts';

/** One draft over all sections. It outlives the page, so that nothing typed is lost on the way to another section. */
export const useDraft = createDraft();

/** The address that outbounds are tested with: saved with the template, but no part of it. */
export const useTestUrl = create(() => ({ stored: '', typed: '' }));

export function useIsUnsaved(): boolean {
  const isUrlTyped = useTestUrl(({ stored, typed }) => typed !== stored);
  return useDraft(isDirty) || isUrlTyped;
}

export function loadDraft({ xraySetting, outboundTestUrl }: CoreSettings): void {
  useDraft.getState().load(xraySetting);
  useTestUrl.setState({ stored: outboundTestUrl, typed: outboundTestUrl });
}

/** What is stored has changed: the draft stays, and counts as changes of it. */
export function keepDraftOver({ xraySetting, outboundTestUrl }: CoreSettings): void {
  useDraft.getState().rebase(xraySetting);
  useTestUrl.setState({ stored: outboundTestUrl });
}

export function discardDraft(): void {
  useDraft.getState().discard();
  useTestUrl.setState(({ stored }) => ({ typed: stored }));
}
