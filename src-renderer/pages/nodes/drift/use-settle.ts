import { useTranslation } from 'react-i18next';
import { settleDrift, type DriftRow, type DriftVerb } from '#contract/nodes/drift';
import { keys } from '../../../api/keys.ts';
import { CallError } from '../../../api/transport.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { reasonWords } from '../../../i18n/refusal-words.ts';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';

/** Query key of what was read of a node. */
export const driftKey = (id: string): readonly string[] => ['drift', id];

/** Decides about rows: several at once need one confirmation, with the number of each kind. */
export function useSettle(id: string, node: string, onDone: () => void) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const change = useChange(settleDrift, [driftKey(id), keys.nodes, keys.inbounds, keys.clients]);

  function countsOf(rows: readonly DriftRow[]): { inbounds: number; clients: number } {
    const inbounds = rows.filter(({ kind }) => kind === 'inbound').length;
    return { inbounds, clients: rows.length - inbounds };
  }

  async function settle(verb: DriftVerb, rows: readonly DriftRow[], all = countsOf(rows)): Promise<void> {
    const { inbounds, clients } = rows.length > 0 ? countsOf(rows) : all;
    // An item that only the node has is deleted there.
    const isDeletion = verb === 'send' && rows.some(({ kind, state }) => kind === 'client' && state === 'onlyThere');
    if (inbounds + clients > 1 || isDeletion) {
      const isSure = await confirmAction({
        title: t(`drift.ask.${verb}`, { node }),
        text: `${t('drift.ofWhat', { inbounds: format.number(inbounds), clients: format.number(clients) })} ${t(`drift.askText.${verb}`)}`,
        action: t(`drift.verb.${verb}`),
        names: rows.map(({ name }) => name),
        isDangerous: verb === 'send',
      });
      if (!isSure) return;
    }
    try {
      const items = rows.map(({ kind, key }) => ({ kind, key }));
      const { settled, skipped } = await change.mutateAsync({ params: { id }, body: { verb, items } });
      onDone();
      if (settled > 0) announceDone(t(`drift.done.${verb}`, { count: settled }));
      const [first] = skipped;
      if (first !== undefined) {
        const reason = reasonWords({ ...first.refusal, reason: first.text });
        announceFailure(
          new CallError('refused', t('drift.skipped', { count: skipped.length, name: first.name, reason })),
        );
      }
    } catch (error) {
      announceFailure(error as Error);
    }
  }

  return { settle, isPending: change.isPending };
}
