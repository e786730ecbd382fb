import type { Store, WriteTransaction } from '../../store/open-store.ts';

/** Tags of all inbounds, by id. */
export async function inboundTags(store: Store): Promise<string[]> {
  const rows = await store.reader.selectFrom('inbounds').select('tag').orderBy('id').execute();
  return rows.map(({ tag }) => tag);
}

/** Stored `reverse` texts of vless clients. Scans every client, which takes longer than the reader may be held. */
export async function vlessReverseTexts(store: Store): Promise<string[]> {
  const rows = await store.heavyReader
    .selectFrom('clients as client')
    .select('client.reverse')
    .distinct()
    .where('client.reverse', '<>', '')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('clientInbounds as link')
          .innerJoin('inbounds as inbound', 'inbound.id', 'link.inboundId')
          .select('link.inboundId')
          .whereRef('link.clientId', '=', 'client.id')
          .where('inbound.protocol', '=', 'vless'),
      ),
    )
    .execute();
  return rows.map(({ reverse }) => reverse);
}

export interface OutboundTrafficRow {
  tag: string;
  upBytes: number;
  downBytes: number;
}

export function outboundTraffics(store: Store): Promise<OutboundTrafficRow[]> {
  return store.reader.selectFrom('outboundTraffics').selectAll().orderBy('tag').execute();
}

/** @param tag null = every outbound. An unknown tag changes nothing. */
export async function zeroOutboundTraffics(trx: WriteTransaction, tag: string | null): Promise<void> {
  const update = trx.updateTable('outboundTraffics').set({ upBytes: 0, downBytes: 0 });
  await (tag === null ? update : update.where('tag', '=', tag)).execute();
}
