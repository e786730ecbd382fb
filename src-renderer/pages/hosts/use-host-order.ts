import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { reorderHosts, type Host } from '#contract/hosts';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { announceFailure } from '../../ui/notices/announce.ts';
import { announceUndo } from '../../ui/undo/announce-undo.tsx';
import { HOSTS_PAGE, type HostsData } from './use-hosts.ts';

/** Moves are sent one after another: two at once could arrive in the wrong order. */
const ONE_BY_ONE = 'hosts-order';

interface HostOrder {
  rows: readonly Host[];
  move: (from: number, to: number) => void;
}

/**
 * The hosts of an inbound in the operator's last order: from the moment of the move until the list has been read after
 * the server's response to that move. Late responses to earlier requests change nothing.
 */
export function useHostOrder(hosts: readonly Host[]): HostOrder {
  const { t } = useTranslation('hosts');
  const [made, setMade] = useState<readonly number[] | null>(null);
  const { mutate, mutateAsync } = useChange(reorderHosts, [keys.hosts, keys.inbounds], {
    scope: ONE_BY_ONE,
    // Holds even when reading the list again fails.
    updateCache: (cache, { body: { ids = [] } }) =>
      cache.setQueryData<HostsData>(HOSTS_PAGE, (data) => data && { ...data, hosts: inOrder(data.hosts, ids) }),
  });
  const rows = made === null ? hosts : inOrder(hosts, made);
  const forget = (): void => setMade(null);
  const undo = (ids: number[]): void => {
    setMade(ids);
    // The page may have been left.
    void mutateAsync({ body: { ids } }, { onSettled: forget }).catch(announceFailure);
  };
  const move = (from: number, to: number): void => {
    const before = rows.map(({ id }) => id);
    const moved = before[from];
    if (from === to || moved === undefined || before[to] === undefined) return;
    const ids = before.toSpliced(from, 1).toSpliced(to, 0, moved);
    setMade(ids);
    // Shown for the last move only; earlier ones are superseded.
    mutate(
      { body: { ids } },
      {
        onError: announceFailure,
        onSuccess: () => announceUndo(t('move.done'), () => undo(before)),
        onSettled: forget,
      },
    );
  };
  return { rows, move };
}

/** @returns the hosts named by `ids` in that order, in the positions they occupy among the others */
function inOrder(hosts: readonly Host[], ids: readonly number[]): Host[] {
  const named = new Set(ids);
  const byId = new Map(hosts.map((host) => [host.id, host]));
  const ordered = ids.flatMap((id) => byId.get(id) ?? []).values();
  return hosts.map((host) => (named.has(host.id) ? ordered.next().value! : host));
}
