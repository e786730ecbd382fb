import { useTranslation } from 'react-i18next';
import { bulkDeleteHosts, bulkSetHostEnable, reorderHosts, type Host } from '#contract/hosts';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { announceDone, announceFailure } from '../../ui/announce.ts';
import { confirmDeed } from '../../ui/confirm.tsx';

const ROOTS = [keys.hosts, keys.inbounds];

/** What can be done with hosts, one or several. */
export function useHostDeeds() {
  const { t } = useTranslation(['hosts', 'shell']);
  const enable = useChange(bulkSetHostEnable, ROOTS);
  const remove = useChange(bulkDeleteHosts, ROOTS);
  const reorder = useChange(reorderHosts, ROOTS);

  const setEnable = (hosts: readonly Host[], isOn: boolean): void =>
    enable.mutate({ body: { ids: hosts.map(({ id }) => id), enable: isOn } }, { onError: announceFailure });

  async function askRemove(hosts: readonly Host[]): Promise<void> {
    const count = hosts.length;
    const isSure = await confirmDeed({
      title: t('remove.title', { count, names: hosts.map(({ remark }) => remark).join(', ') }),
      text: t('remove.text'),
      deed: t('remove.deed', { count }),
      cancel: t('shell:cancel'),
    });
    if (!isSure) return;
    remove.mutate(
      { body: { ids: hosts.map(({ id }) => id) } },
      { onSuccess: () => announceDone(t('remove.done', { count })), onError: announceFailure },
    );
  }
  return {
    setEnable,
    askRemove,
    reorder: (ids: readonly number[]): void =>
      reorder.mutate({ body: { ids: [...ids] } }, { onError: announceFailure }),
    /** Order that is being saved; null = none. */
    pendingOrder: reorder.isPending ? (reorder.variables.body.ids ?? null) : null,
  };
}
export type HostDeeds = ReturnType<typeof useHostDeeds>;
