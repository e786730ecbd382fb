import { DomainError } from '../contract/domain-error.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ClientTraffic, InboundClientPort } from '../domains/inbounds/client-port.ts';
import type { InboundTrafficPort } from '../domains/inbounds/traffic-port.ts';
import { foldText } from '../store/fold-text.ts';
import type { Store, WriteTransaction } from '../store/open-store.ts';

/**
 * Clients as far as tests of inbounds need them, over the real tables: e-mails and links, no credentials.
 * `calls` notes what has no trace in the tables.
 */
export function plainClients(store: Store): InboundClientPort & { calls: string[] } {
  const calls: string[] = [];
  const emailOf = ({ email }: JsonObject) => (typeof email === 'string' ? email : '');

  const linked = (inboundIds: readonly number[]) =>
    store.heavyReader
      .selectFrom('clientInbounds as link')
      .innerJoin('clients as client', 'client.id', 'link.clientId')
      .innerJoin('clientStates as state', 'state.clientId', 'link.clientId')
      .selectAll('client')
      .select(['link.inboundId', 'state.enable', 'state.upBytes', 'state.downBytes', 'state.lastOnlineAtMs'])
      .select(['state.quotaBytes', 'state.expiresAtMs', 'state.resetDays'])
      .where('link.inboundId', 'in', [...inboundIds, 0])
      .orderBy('client.id')
      .execute();
  type Row = Awaited<ReturnType<typeof linked>>[number];

  async function perInbound<T>(ids: readonly number[], show: (row: Row) => T): Promise<Map<number, T[]>> {
    const rows = await linked(ids);
    return new Map(ids.map((id) => [id, rows.filter((row) => row.inboundId === id).map(show)]));
  }

  async function create(trx: WriteTransaction, entry: JsonObject, nowMs: number): Promise<number> {
    const email = emailOf(entry);
    const text = (key: string) => (typeof entry[key] === 'string' ? entry[key] : '');
    const { id } = await trx
      .insertInto('clients')
      .values({
        email,
        emailKey: foldText(email),
        subId: text('subId'),
        uuid: text('id'),
        password: text('password'),
        auth: text('auth'),
        flow: '',
        security: '',
        reverse: '',
        limitIp: 0,
        tgId: 0,
        groupName: '',
        comment: text('comment'),
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('clientStates')
      .values({
        clientId: id,
        enable: entry['enable'] === false ? 0 : 1,
        disabledBy: '',
        quotaBytes: typeof entry['totalGB'] === 'number' ? entry['totalGB'] : 0,
        expiresAtMs: 0,
        resetDays: 0,
        upBytes: 0,
        downBytes: 0,
        lastOnlineAtMs: 0,
      })
      .execute();
    return id;
  }

  return {
    calls,
    async attachEntries(trx, inbound, entries, { mode, nowMs, clientStats = [] }) {
      const before = await trx
        .selectFrom('clientInbounds as link')
        .innerJoin('clients as client', 'client.id', 'link.clientId')
        .select(['client.id', 'client.email', 'client.emailKey'])
        .where('link.inboundId', '=', inbound.id)
        .execute();
      const kept = new Set<number>();
      for (const entry of entries) {
        const email = emailOf(entry);
        const known = await trx
          .selectFrom('clients')
          .select(['id', 'subId'])
          .where('emailKey', '=', foldText(email))
          .executeTakeFirst();
        const isOwn = mode === 'replace' && before.some(({ id }) => id === known?.id);
        if (known !== undefined && !isOwn && (known.subId === '' || known.subId !== entry['subId']))
          throw new DomainError('client.duplicateEmail', { email });
        const clientId = known?.id ?? (await create(trx, entry, nowMs));
        if (kept.has(clientId)) throw new DomainError('client.duplicateEmail', { email });
        kept.add(clientId);
        const stats = clientStats.find((row) => foldText(row.email) === foldText(email));
        if (known === undefined && stats !== undefined)
          await trx
            .updateTable('clientStates')
            .set({ upBytes: stats.up, downBytes: stats.down })
            .where('clientId', '=', clientId)
            .execute();
        await trx
          .insertInto('clientInbounds')
          .values({ clientId, inboundId: inbound.id, flowOverride: '', passwordOverride: '', createdAtMs: nowMs })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      const gone = before.filter(({ id }) => mode === 'replace' && !kept.has(id));
      for (const { id } of gone)
        await trx.deleteFrom('clientInbounds').where('clientId', '=', id).where('inboundId', '=', inbound.id).execute();
      return { emails: [...entries.map(emailOf), ...gone.map(({ email }) => email)] };
    },
    composeEntries: (ids) =>
      perInbound(ids, (row) => ({
        email: row.email,
        id: row.uuid,
        password: row.password,
        subId: row.subId,
        comment: row.comment,
        enable: row.enable === 1,
      })),
    composeSlimEntries: (ids) =>
      perInbound(ids, (row) => ({
        email: row.email,
        enable: row.enable === 1,
        ...(row.comment === '' ? {} : { comment: row.comment }),
      })),
    statsOf(ids, { overlay }) {
      calls.push(`statsOf overlay=${overlay}`);
      return perInbound(ids, (row): ClientTraffic => ({
        id: row.id,
        inboundId: row.inboundId,
        enable: row.enable === 1,
        email: row.email,
        uuid: row.uuid,
        subId: row.subId,
        up: row.upBytes,
        down: row.downBytes,
        expiryTime: row.expiresAtMs,
        total: row.quotaBytes,
        reset: row.resetDays,
        lastOnline: row.lastOnlineAtMs,
      }));
    },
    async detachAll(trx, inboundId) {
      await trx.deleteFrom('clientInbounds').where('inboundId', '=', inboundId).execute();
    },
    deleteAllOf: (inboundId) =>
      store.write(async (trx) => {
        const links = await trx
          .selectFrom('clientInbounds')
          .select('clientId')
          .where('inboundId', '=', inboundId)
          .execute();
        for (const { clientId } of links) await trx.deleteFrom('clients').where('id', '=', clientId).execute();
        return { deleted: links.length };
      }),
    async regenerateForCipher(_trx, inbound) {
      calls.push(`regenerateForCipher ${inbound.protocol}`);
      return [];
    },
    async adaptFlows(_trx, inbound) {
      calls.push(`adaptFlows ${inbound.protocol}`);
      return [];
    },
    noteCommitted: () => void calls.push('noteCommitted'),
  };
}

/** Resets that zero the tables' counters and enable clients whose quota was used up. */
export const plainTraffic: InboundTrafficPort = {
  async resetInbound(trx, inboundId, nowMs) {
    await trx
      .updateTable('inbounds')
      .set({ upBytes: 0, downBytes: 0, lastTrafficResetAtMs: nowMs })
      .where('id', '=', inboundId)
      .execute();
  },
  async resetClientsOfInbound(trx, inboundId) {
    const rows = await trx
      .selectFrom('clientInbounds as link')
      .innerJoin('clients as client', 'client.id', 'link.clientId')
      .innerJoin('clientStates as state', 'state.clientId', 'link.clientId')
      .select(['client.id', 'client.email', 'state.enable', 'state.quotaBytes', 'state.upBytes', 'state.downBytes'])
      .where('link.inboundId', '=', inboundId)
      .execute();
    const back = rows.filter(
      (row) => row.enable === 0 && row.quotaBytes > 0 && row.upBytes + row.downBytes >= row.quotaBytes,
    );
    for (const { id } of rows)
      await trx.updateTable('clientStates').set({ upBytes: 0, downBytes: 0 }).where('clientId', '=', id).execute();
    for (const { id } of back)
      await trx.updateTable('clientStates').set({ enable: 1, disabledBy: '' }).where('clientId', '=', id).execute();
    return { users: back.length === 0 ? [] : [{ inboundId, emails: back.map(({ email }) => email) }] };
  },
};
