import type { Store } from '../../store/open-store.ts';
import { lastEventId } from './repository.ts';
import * as rows from './repository-list.ts';

const DAY = 86_400_000;
const KEPT_MS = 30 * DAY;
const MAX_KEPT = 20_000;
/** News from the day before yesterday is useless. */
const LATEST_MS = 2 * DAY;
const AT_ONCE = 500;

/**
 * Gives up deliveries that have waited too long, and deletes old events. @param known names of the registered channels
 */
export async function pruneOld(store: Store, nowMs: number, known: readonly string[]): Promise<void> {
  await store.write(async (trx) => {
    await rows.giveUpOld(trx, nowMs - LATEST_MS);
    await rows.dropUnknownChannels(trx, known, nowMs - LATEST_MS);
  });
  const upToId = (await lastEventId(store.reader)) - MAX_KEPT;
  let gone: number;
  do {
    gone = await store.write((trx) => rows.pruneEvents(trx, { beforeMs: nowMs - KEPT_MS, upToId, most: AT_ONCE }));
  } while (gone === AT_ONCE);
}
