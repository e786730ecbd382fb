import type { JsonObject } from '../contract/json.ts';
import type { Store } from '../store/open-store.ts';

export interface StoredInbound {
  tag?: string;
  port?: number;
  protocol?: string;
  settings?: JsonObject;
  stream?: JsonObject;
  nodeId?: number;
  quotaBytes?: number;
  expiresAtMs?: number;
  nowMs: number;
}

/** Inserts a row past every check, as an old import could have. @returns its id */
export async function storeInbound(store: Store, row: StoredInbound): Promise<number> {
  const { port = 443, protocol = 'vless', settings = {}, stream = {}, nowMs } = row;
  return store.write(async (trx) => {
    const { id } = await trx
      .insertInto('inbounds')
      .values({
        tag: row.tag ?? `in-${port}-tcp`,
        remark: '',
        enable: 1,
        disabledBy: '',
        listen: '',
        port,
        protocol,
        settings: JSON.stringify(settings),
        streamSettings: JSON.stringify(stream),
        sniffing: '',
        expiresAtMs: row.expiresAtMs ?? 0,
        quotaBytes: row.quotaBytes ?? 0,
        upBytes: 0,
        downBytes: 0,
        trafficReset: 'never',
        lastTrafficResetAtMs: 0,
        nodeId: row.nodeId ?? null,
        originNodeGuid: '',
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}
