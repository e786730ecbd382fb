import { useMemo } from 'react';
import { getCoreSettings, type CoreSettings } from '#contract/coreSettings';
import type { JsonObject } from '#wire/json';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useDraft } from '../model/draft.ts';
import { textAt } from '../../../forms/draft/json.ts';
import { BALANCERS, OUTBOUNDS, tagsAt } from '../model/lists.ts';

export const SETTINGS_KEY = [...keys.core, 'settings'];

/** The stored template with the names its rules can use. */
export function useCoreSettings() {
  return useRead(getCoreSettings, {}, SETTINGS_KEY);
}

const NO_OUTBOUNDS: JsonObject[] = [];

/** Outbounds from subscriptions: shown beside the template's, never edited with it. */
export function useSubscribedOutbounds(): JsonObject[] {
  const { data } = useCoreSettings();
  return (data?.subscriptionOutbounds as JsonObject[] | undefined) ?? NO_OUTBOUNDS;
}

/** The names that rules of the draft can use. */
export function useNames(): { inbounds: string[]; outbounds: string[]; balancers: string[] } {
  const { data } = useCoreSettings();
  const template = useDraft(({ draft }) => draft);
  return useMemo(() => namesIn(data, template), [data, template]);
}

function namesIn(settings: CoreSettings | undefined, template: JsonObject) {
  const subscribed = (settings?.subscriptionOutbounds as JsonObject[] | undefined) ?? [];
  const reverse = textList(settings?.clientReverseTags);
  const own = [...tagsAt(template, OUTBOUNDS), ...subscribed.map((outbound) => textAt(outbound['tag'])), ...reverse];
  return {
    inbounds: [...new Set([...textList(settings?.inboundTags), ...tagsAt(template, ['inbounds']), ...reverse])],
    outbounds: [...new Set(own)].filter((tag) => tag !== ''),
    balancers: tagsAt(template, BALANCERS),
  };
}

function textList(text = '[]'): string[] {
  return JSON.parse(text) as string[];
}
