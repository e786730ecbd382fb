import { actingAlone } from '../../../acting.ts';
import type { Basics } from '../../basics.ts';
import type { Change, Runtime } from '../../../runtime/runtime.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { usersOf } from '../counting/repository-bookkeeping.ts';
import {
  clientsEndedEarly,
  enableClients,
  enableInbounds,
  inboundsEndedEarly,
  SET_BACK_MS,
} from './repository-ended-early.ts';

const CLIENTS_PER_WRITE = 500;

export interface EndedEarlyDeps extends Pick<Basics, 'store' | 'clock' | 'publish' | 'log'> {
  runtime: Pick<Runtime, 'stage' | 'apply'>;
}

/** Gives back what a clock that ran ahead has ended: at the start, and whenever the clock is set back. */
export function createEndedEarly({ store, clock, publish, log, runtime }: EndedEarlyDeps) {
  let lookedAtMs = Infinity;

  async function find(db: Db, nowMs: number) {
    const ids = await clientsEndedEarly(db, nowMs, CLIENTS_PER_WRITE);
    return { ids, inboundIds: await inboundsEndedEarly(db, nowMs) };
  }

  async function enable(trx: WriteTransaction, nowMs: number): Promise<Change> {
    const { ids, inboundIds } = await find(trx, nowMs);
    await enableClients(trx, JSON.stringify(ids), nowMs);
    await enableInbounds(trx, JSON.stringify(inboundIds), nowMs);
    const users = await usersOf(trx, JSON.stringify(ids));
    const change = { users: users.map(({ inboundId, emails }) => ({ inboundId, emails })), inboundIds };
    await runtime.stage(trx, change);
    log.info('traffic.endedEarly', { enabled: ids.length, inbounds: inboundIds.length });
    return change;
  }

  async function isLeft(nowMs: number): Promise<boolean> {
    const { ids, inboundIds } = await find(store.reader, nowMs);
    return ids.length + inboundIds.length > 0;
  }

  return async (): Promise<void> => {
    const nowMs = clock();
    if (nowMs < lookedAtMs - SET_BACK_MS) {
      while (await isLeft(nowMs)) {
        await runtime.apply(await actingAlone(() => store.write((trx) => enable(trx, nowMs))));
        publish({ type: 'invalidate', resource: 'clients' });
        publish({ type: 'invalidate', resource: 'inbounds' });
      }
    }
    lookedAtMs = nowMs;
  };
}
