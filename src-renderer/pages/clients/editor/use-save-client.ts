import { useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { addClient, attachClient, detachClient, updateClient, type getClient } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useChange } from '../../../api/use-change.ts';
import { serverNow } from '../../../stores/server-clock.ts';
import { toWire, type ClientForm } from './client-form.ts';

type Stored = z.output<(typeof getClient)['result']>;

const ROOTS = [keys.clients, keys.groups, keys.plans, keys.inbounds];

/**
 * Sends the form: a new client when it stands on none, otherwise its inbounds and then the client itself.
 * @param openedMs when the form was filled in
 * @param onPlaced told the inbounds as they are stored now, when they were changed and the rest was not
 */
export function useSaveClient(openedMs: number, onPlaced: (inboundIds: number[]) => void) {
  const call = useCall();
  const cache = useQueryClient();
  const add = useChange(addClient, ROOTS);
  const update = useChange(updateClient, ROOTS);
  return async (values: ClientForm, base: Stored | null): Promise<void> => {
    const inboundIds = values.inboundIds.map(Number);
    const client = toWire(values, base?.client ?? null, openedMs, serverNow());
    if (base === null) {
      await add.mutateAsync({ body: { client, inboundIds } });
      return;
    }
    const params = { email: base.client.email };
    const added = inboundIds.filter((id) => !base.inboundIds.includes(id));
    const removed = base.inboundIds.filter((id) => !inboundIds.includes(id));
    let placed = base.inboundIds;
    try {
      if (added.length > 0) await call(attachClient, { params, body: { inboundIds: added } });
      placed = [...placed, ...added];
      if (removed.length > 0) await call(detachClient, { params, query: {}, body: { inboundIds: removed } });
      placed = placed.filter((id) => !removed.includes(id));
      await update.mutateAsync({ params, query: {}, body: client });
    } catch (error) {
      if (String(placed) !== String(base.inboundIds)) {
        onPlaced(placed);
        for (const queryKey of ROOTS) void cache.invalidateQueries({ queryKey });
      }
      throw error;
    }
  };
}
