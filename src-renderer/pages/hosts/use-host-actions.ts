import { useTranslation } from 'react-i18next';
import { bulkDeleteHosts, bulkSetHostEnable, type Host } from '#contract/hosts';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { announceDone, announceFailure } from '../../ui/notices/announce.ts';
import { announceUndo } from '../../ui/undo/announce-undo.tsx';
import { confirmAction } from '../../ui/confirm.tsx';

const ROOTS = [keys.hosts, keys.inbounds];

/** Actions on one host or several. */
export function useHostActions() {
  const { t } = useTranslation('hosts');
  const enable = useChange(bulkSetHostEnable, ROOTS);
  const remove = useChange(bulkDeleteHosts, ROOTS);

  function setEnable(hosts: readonly Host[], isOn: boolean): void {
    const others = hosts.filter((host) => host.enable !== isOn);
    if (others.length === 0) return;
    const ids = others.map(({ id }) => id);
    const words = { count: ids.length, names: others.map(({ remark }) => remark).join(', ') };
    enable.mutate(
      { body: { ids, enable: isOn } },
      {
        onSuccess: () =>
          announceUndo(
            isOn ? t('bulk.enabled', words) : t('bulk.disabled', words),
            // The page may have been left.
            () => void enable.mutateAsync({ body: { ids, enable: !isOn } }).catch(announceFailure),
          ),
        onError: announceFailure,
      },
    );
  }

  async function confirmRemoval(hosts: readonly Host[]): Promise<void> {
    const count = hosts.length;
    const names = hosts.map(({ remark }) => remark);
    const isSure = await confirmAction({
      title: t('remove.title', { count, name: names[0] }),
      names,
      text: t('remove.text'),
      action: t('remove.action', { count }),
    });
    if (!isSure) return;
    remove.mutate(
      { body: { ids: hosts.map(({ id }) => id) } },
      { onSuccess: () => announceDone(t('remove.done', { count })), onError: announceFailure },
    );
  }
  return { setEnable, confirmRemoval };
}
export type HostActions = ReturnType<typeof useHostActions>;
