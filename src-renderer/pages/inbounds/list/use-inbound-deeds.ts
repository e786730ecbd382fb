import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  bulkDeleteInbounds,
  deleteInboundClients,
  getInbound,
  resetInboundTraffic,
  setInboundEnable,
  type Inbound,
} from '#contract/inbounds';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { announceDone, announceFailure } from '../../../ui/announce.ts';
import { confirmDeed } from '../../../ui/confirm.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { clientsOnlyAt, nameOf } from './inbound-kind.ts';

/** What can be done with one inbound or several. Everything that was refused is told with its name and reason. */
export function useInboundDeeds(rows: readonly Inbound[]) {
  const { t } = useTranslation(['inbounds', 'shell']);
  const call = useCall();
  const cache = useQueryClient();

  const refresh = (): Promise<unknown> =>
    Promise.all([keys.inbounds, keys.clients, keys.hosts].map((queryKey) => cache.invalidateQueries({ queryKey })));

  /** One after another: the server takes them one after another too, and each may be refused for its own reason. */
  async function forEach(inbounds: readonly Inbound[], work: (params: { id: string }) => Promise<unknown>) {
    let done = 0;
    for (const inbound of inbounds) {
      try {
        await work({ id: String(inbound.id) });
        done += 1;
      } catch (error) {
        announceFailure(new Error(`${nameOf(inbound)}: ${(error as Error).message}`));
      }
    }
    await refresh();
    return done;
  }

  async function setEnable(inbounds: readonly Inbound[], enable: boolean): Promise<void> {
    const count = await forEach(inbounds, (params) => call(setInboundEnable, { params, body: { enable } }));
    if (inbounds.length > 1) announceDone(enable ? t('bulk.enabled', { count }) : t('bulk.disabled', { count }));
  }

  async function resetTraffic(inbounds: readonly Inbound[]): Promise<void> {
    const count = await forEach(inbounds, (params) => call(resetInboundTraffic, { params }));
    if (count > 0) announceDone(t('resetDone', { count }));
  }

  /** @returns whether they were deleted */
  async function remove(inbounds: readonly Inbound[]): Promise<boolean> {
    const ids = inbounds.map(({ id }) => id);
    const names = inbounds.map(nameOf).join(', ');
    const isSure = await confirmDeed({
      title: t('remove.title', { count: ids.length, names }),
      text: `${t('remove.text')} ${t('remove.lost', { count: clientsOnlyAt(ids, rows) })}`,
      deed: t('remove.deed', { count: ids.length }),
      cancel: t('shell:cancel'),
    });
    if (!isSure) return false;
    try {
      const { deleted, skipped } = await call(bulkDeleteInbounds, { body: { ids } });
      for (const { id, reason } of skipped) announceFailure(new Error(`#${id}: ${reason}`));
      if (deleted > 0) announceDone(t('remove.done', { count: deleted }));
    } catch (error) {
      announceFailure(error as Error);
      return false;
    } finally {
      await refresh();
    }
    return true;
  }

  async function removeClients(inbound: Inbound): Promise<void> {
    const isSure = await confirmDeed({
      title: t('removeClients.title', { name: nameOf(inbound), count: inbound.clientStats.length }),
      text: t('removeClients.text'),
      deed: t('removeClients.deed', { count: inbound.clientStats.length }),
      cancel: t('shell:cancel'),
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

  /** The whole inbound with its clients, as another panel imports it. */
  async function exportOne(inbound: Inbound): Promise<void> {
    try {
      const whole = await call(getInbound, { params: { id: String(inbound.id) } });
      saveFile(`inbound-${inbound.tag || inbound.id}.json`, JSON.stringify(whole, null, 2));
    } catch (error) {
      announceFailure(error as Error);
    }
  }

  return { setEnable, resetTraffic, remove, removeClients, exportOne };
}
export type InboundDeeds = ReturnType<typeof useInboundDeeds>;
