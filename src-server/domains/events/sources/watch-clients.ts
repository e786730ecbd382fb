import type { Store } from '../../../store/open-store.ts';
import type { Settings } from '../../settings/contract.ts';
import * as rows from '../repository-watch.ts';
import type { EventService } from '../service.ts';

const DAY = 86_400_000;
const AT_ONCE = 500;

interface WatchDeps {
  store: Store;
  events: Pick<EventService, 'takeAll'>;
  settings: { current(): Settings };
  clock: () => number;
}

/**
 * Looks for clients near their expiry or quota, in the thread for long reads. Each is reported once: the event is stored
 * first, so that a panel killed in between reports it again and loses none.
 */
export async function watchClients({ store, events, settings, clock }: WatchDeps): Promise<void> {
  const { expireDiff, clientQuotaNotices } = settings.current();
  const nowMs = clock();
  for (let isMore = expireDiff > 0; isMore;) {
    const range = { nowMs, untilMs: nowMs + expireDiff * DAY, most: AT_ONCE };
    const expiring = await rows.clientsExpiring(store.heavyReader, range);
    const facts = expiring.map((client) => ({ ...client }));
    await events.takeAll('client.expiring', facts);
    const marks = expiring.map(({ clientId, expiresAtMs: mark }) => ({ clientId, mark }));
    if (marks.length > 0) await store.write((trx) => rows.noteClients(trx, 'client.expiring', marks));
    isMore = expiring.length === AT_ONCE;
  }
  const percents = percentsOf(clientQuotaNotices);
  for (let isMore = percents.length > 0; isMore;) {
    const spending = await rows.clientsSpending(store.heavyReader, percents, AT_ONCE);
    // A reset is not news; reaching the percent again is.
    const facts = spending.flatMap(({ notified, ...client }) =>
      client.percent > notified && client.usedBytes < client.quotaBytes ? [client] : [],
    );
    await events.takeAll('client.quota', facts);
    const marks = spending.map(({ clientId, percent: mark }) => ({ clientId, mark }));
    if (marks.length > 0) await store.write((trx) => rows.noteClients(trx, 'client.quota', marks));
    isMore = spending.length === AT_ONCE;
  }
}

function percentsOf(list: string): number[] {
  return [...new Set(list.split(',').map(Number))].filter((percent) => percent >= 1 && percent <= 99);
}

/** Reports new quarantine entries, whatever added them. Entries from before the first look are not news. */
export async function watchQuarantine({ store, events }: Pick<WatchDeps, 'store' | 'events'>): Promise<void> {
  const key = 'quarantine';
  const mark = await rows.markOf(store.reader, key);
  if (mark === null) {
    const lastId = await rows.lastQuarantinedId(store.reader);
    await store.write((trx) => rows.setMark(trx, key, String(lastId)));
    return;
  }
  const entries = await rows.quarantinedAfter(store.reader, Number(mark), AT_ONCE);
  const last = entries.at(-1);
  if (last === undefined) return;
  const facts = entries.map(({ id: _id, kind, ...entry }) => ({ ...entry, of: kind }));
  await events.takeAll('traffic.quarantined', facts);
  await store.write((trx) => rows.setMark(trx, key, String(last.id)));
}
