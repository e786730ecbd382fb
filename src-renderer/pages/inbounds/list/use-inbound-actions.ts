import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  bulkDeleteInbounds,
  countSoleClients,
  deleteInboundClients,
  getInbound,
  resetInboundTraffic,
  setInboundEnable,
  type CountedInbound,
} from '#contract/inbounds';
import type { JsonObject } from '#wire/json';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { reasonWords } from '../../../i18n/refusal-words.ts';
import { announceDone, announceFailure, announceFailures } from '../../../ui/notices/announce.ts';
import { announceUndo } from '../../../ui/notices/announce-undo.tsx';
import { confirmAction } from '../../../ui/confirm.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { nameOf } from './inbound-kind.ts';
import { recipeText } from './recipe-text.ts';

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

  /** How many clients lose their counters with these inbounds; null when that could not be read. */
  async function soleClients(ids: number[]): Promise<number | null> {
    try {
      return (await call(countSoleClients, { body: { ids } })).count;
    } catch (error) {
      announceFailure(error as Error);
      return null;
    }
  }

  /** @returns whether they were deleted */
  async function remove(inbounds: readonly CountedInbound[]): Promise<boolean> {
    const ids = inbounds.map(({ id }) => id);
    const names = inbounds.map(nameOf);
    const lost = await soleClients(ids);
    if (lost === null) return false;
    const isSure = await confirmAction({
      title: t('remove.title', { count: ids.length, name: names[0] }),
      names,
      text: `${t('remove.text')} ${t('remove.lost', { count: lost })}`,
      action: t('remove.action', { count: ids.length }),
    });
    if (!isSure) return false;
    try {
      const { deleted, skipped } = await call(bulkDeleteInbounds, { body: { ids } });
      const nameById = new Map(inbounds.map((inbound) => [inbound.id, nameOf(inbound)]));
      announceFailures(skipped.map((one) => `${nameById.get(one.id) ?? `#${one.id}`}: ${reasonWords(one)}`));
      if (deleted > 0) announceDone(t('remove.done', { count: deleted }));
    } catch (error) {
      announceFailure(error as Error);
      return false;
    } finally {
      await refresh();
    }
    return true;
  }

  async function removeClients(inbound: CountedInbound): Promise<void> {
    const isSure = await confirmAction({
      title: t('removeClients.title', { name: nameOf(inbound), count: inbound.clientCount }),
      text: t('removeClients.text'),
      action: t('removeClients.action', { count: inbound.clientCount }),
    });
    if (!isSure) return;
    try {
      const { deleted } = await call(deleteInboundClients, { params: { id: String(inbound.id) } });
      announceDone(t('removeClients.done', { count: deleted }));
    } catch (error) {
      announceFailure(error as Error);
    }
    await refresh();
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

  return { copyRecipe, setEnable, resetTraffic, remove, removeClients, exportOne };
}
export type InboundActions = ReturnType<typeof useInboundActions>;
