import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { deleteNode, setNodeEnable, type Node } from '#contract/nodes';
import { probeNode } from '#contract/nodes/probes';
import { keys } from '../../api/keys.ts';
import { CallError } from '../../api/transport.ts';
import { useChange } from '../../api/use-change.ts';
import { useFormat } from '../../i18n/format.ts';
import { announceDone, announceFailure } from '../../ui/notices/announce.ts';
import { announceUndo } from '../../ui/undo/announce-undo.tsx';
import { confirmAction } from '../../ui/confirm.tsx';

/** Actions on a node from its row or its drawer. */
export function useNodeActions() {
  const { t } = useTranslation('nodes');
  const navigate = useNavigate();
  const format = useFormat();
  const enable = useChange(setNodeEnable, [keys.nodes]);
  const probe = useChange(probeNode, [keys.nodes]);
  const remove = useChange(deleteNode, [keys.nodes]);

  /** @returns whether it was switched */
  async function switchTo({ id }: Node, isOn: boolean): Promise<boolean> {
    try {
      await enable.mutateAsync({ params: { id: String(id) }, body: { enable: isOn } });
      return true;
    } catch (error) {
      announceFailure(error as Error);
      return false;
    }
  }

  return {
    async setEnable(node: Node, isOn: boolean): Promise<void> {
      if (!(await switchTo(node, isOn))) return;
      const { name } = node;
      announceUndo(isOn ? t('enabled', { name }) : t('disabled', { name }), () => void switchTo(node, !isOn));
    },

    async probe({ id, name }: Node): Promise<void> {
      try {
        const { status, latencyMs, error } = await probe.mutateAsync({ params: { id: String(id) } });
        if (status === 'online') announceDone(t('probe.online', { name, ms: format.number(latencyMs) }));
        else announceFailure(new CallError('refused', t('probe.offline', { name, error })));
      } catch (error) {
        announceFailure(error as Error);
      }
    },

    /** Asks first; while the node has inbounds it says what to do about them instead. */
    async remove({ id, name, inboundCount: count, configDirty }: Node): Promise<void> {
      if (count > 0) {
        const isToShow = await confirmAction({
          title: t('remove.busyTitle', { name }),
          text: t('remove.busy', { count }),
          action: t('remove.showInbounds'),
          isDangerous: false,
        });
        if (isToShow) void navigate(`/panel/inbounds?node=${id}`);
        return;
      }
      const isSure = await confirmAction({
        title: t('remove.title', { name }),
        text: configDirty ? `${t('remove.text')} ${t('remove.waiting')}` : t('remove.text'),
        action: t('remove.action'),
      });
      if (!isSure) return;
      try {
        await remove.mutateAsync({ params: { id: String(id) } });
        announceDone(t('remove.done', { name }));
      } catch (error) {
        announceFailure(error as Error);
      }
    },
  };
}
export type NodeActions = ReturnType<typeof useNodeActions>;
