import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getInbound, resetInboundTraffic, setInboundEnable, type CountedInbound } from '#contract/inbounds';
import type { JsonObject } from '#wire/json';
import { keys } from '../../../../api/keys.ts';
import { useCall } from '../../../../api/transport-context.tsx';
import { announceDone, announceFailure, announceFailures } from '../../../../ui/notices/announce.ts';
import { announceUndo } from '../../../../ui/undo/announce-undo.tsx';
import { copyText } from '../../../../ui/copy/copy-text.ts';
import { saveFile } from '../../../../ui/files/save-file.ts';
import { nameOf } from '../inbound-kind.ts';
import { recipeText } from '../recipe-text.ts';
import { useInboundRemoval } from './use-inbound-removal.ts';

/** Actions on one inbound or several. Every refusal is shown with its inbound and reason. */
export function useInboundActions() {
  const { t } = useTranslation(['inbounds', 'inboundTools']);
  const call = useCall();
  const cache = useQueryClient();

  const refresh = (): Promise<unknown> =>
    Promise.all([keys.inbounds, keys.clients, keys.hosts].map((queryKey) => cache.invalidateQueries({ queryKey })));

  /** One after another, as the server processes them; each may be refused for its own reason. */
  async function forEach(inbounds: readonly CountedInbound[], work: (params: { id: string }) => Promise<unknown>) {
    const done: CountedInbound[] = [];
    const failures: string[] = [];
    for (const inbound of inbounds) {
      try {
        await work({ id: String(inbound.id) });
        done.push(inbound);
      } catch (error) {
        failures.push(`${nameOf(inbound)}: ${(error as Error).message}`);
      }
    }
    announceFailures(failures);
    await refresh();
    return done;
  }

  /** @returns the inbounds that were switched */
  const switchAll = (inbounds: readonly CountedInbound[], enable: boolean): Promise<CountedInbound[]> =>
    forEach(inbounds, (params) => call(setInboundEnable, { params, body: { enable } }));

  async function setEnable(inbounds: readonly CountedInbound[], enable: boolean): Promise<void> {
    const others = inbounds.filter((inbound) => inbound.enable !== enable);
    const done = await switchAll(others, enable);
    const count = done.length;
    if (count === 0) return;
    const names = done.map(nameOf).join(', ');
    announceUndo(
      enable ? t('bulk.enabled', { count, names }) : t('bulk.disabled', { count, names }),
      () => void switchAll(done, !enable),
    );
  }

  async function resetTraffic(inbounds: readonly CountedInbound[]): Promise<void> {
    const { length: count } = await forEach(inbounds, (params) => call(resetInboundTraffic, { params }));
    if (count > 0) announceDone(t('resetDone', { count }));
  }

  /** The whole inbound with its clients, in the form other panels import. */
  async function exportOne(inbound: CountedInbound): Promise<void> {
    try {
      const whole = await call(getInbound, { params: { id: String(inbound.id) } });
      saveFile(`inbound-${inbound.tag || inbound.id}.json`, JSON.stringify(whole, null, 2));
    } catch (error) {
      announceFailure(error as Error);
    }
  }

  /** The recipe of the inbound, without clients and secrets; a file where there is no clipboard. */
  async function copyRecipe(inbound: CountedInbound): Promise<void> {
    const text = recipeText(inbound as unknown as JsonObject);
    if (await copyText(text)) announceDone(t('inboundTools:recipeCopied', { name: nameOf(inbound) }));
    else saveFile(`recipe-${inbound.tag || inbound.id}.json`, text);
  }

  return { ...useInboundRemoval(refresh), copyRecipe, setEnable, resetTraffic, exportOne };
}
export type InboundActions = ReturnType<typeof useInboundActions>;
