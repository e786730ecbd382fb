import type { Store } from '../../store/open-store.ts';

/** Transport settings of every inbound, as stored. */
export async function inboundTransports(store: Store): Promise<string[]> {
  const rows = await store.reader.selectFrom('inbounds').select('streamSettings').execute();
  return rows.map(({ streamSettings }) => streamSettings);
}
