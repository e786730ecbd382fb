import type { Store } from '../../store/open-store.ts';

/** Transport settings of every inbound, as stored. */
export async function inboundTransports(store: Store): Promise<string[]> {
  const rows = await store.reader.selectFrom('inbounds').select('streamSettings').execute();
  return rows.map(({ streamSettings }) => streamSettings);
}

/** An enabled inbound, with the fields that matter for its certificates. */
export interface ServingInbound {
  id: number;
  remark: string;
  tag: string;
  /** Node whose core runs it; null = this machine. */
  nodeId: number | null;
  /** Server whose core runs it; null = the active panel's. */
  serverId: string | null;
  /** As stored. */
  streamSettings: string;
}

export function servingInbounds(store: Store): Promise<ServingInbound[]> {
  return store.reader
    .selectFrom('inbounds')
    .select(['id', 'remark', 'tag', 'nodeId', 'serverId', 'streamSettings'])
    .where('enable', '=', 1)
    .orderBy('id')
    .execute();
}
