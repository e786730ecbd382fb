import { useTranslation } from 'react-i18next';
import { bulkDeleteInbounds, countSoleClients, deleteInboundClients, type CountedInbound } from '#contract/inbounds';
import { useCall } from '../../../../api/transport-context.tsx';
import { reasonWords } from '../../../../i18n/refusal-words.ts';
import { confirmAction } from '../../../../ui/confirm.tsx';
import { announceDone, announceFailure, announceFailures } from '../../../../ui/notices/announce.ts';
import { nameOf } from '../inbound-kind.ts';

/** Deletes inbounds, or the clients of one, after asking. */
export function useInboundRemoval(refresh: () => Promise<unknown>) {
  const { t } = useTranslation('inbounds');
  const call = useCall();

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

  return { remove, removeClients };
}
