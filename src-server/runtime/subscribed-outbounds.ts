import { parseJsonObjects } from '../contract/json-text.ts';
import type { CoreConfigSource, JsonObject } from '../core/config/source.ts';
import type { Store } from '../store/open-store.ts';

/** Outbounds of the enabled outbound subscriptions, by priority and id. */
export async function readSubscribedOutbounds(
  store: Pick<Store, 'reader'>,
): Promise<CoreConfigSource['subscribedOutbounds']> {
  const rows = await store.reader
    .selectFrom('outboundSubs')
    .select(['prepend', 'outbounds'])
    .where('enabled', '=', 1)
    .orderBy('priority')
    .orderBy('id')
    .execute();
  const groups: { prepend: JsonObject[]; append: JsonObject[] } = { prepend: [], append: [] };
  for (const { prepend, outbounds } of rows)
    groups[prepend === 1 ? 'prepend' : 'append'].push(...parseJsonObjects(outbounds));
  return groups;
}
