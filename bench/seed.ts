import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { runBatch } from '../src-server/store/batch.ts';
import { openStore } from '../src-server/store/open-store.ts';
import { QUIET } from './measured-panel.ts';

export interface Seeded {
  inboundId: number;
  port: number;
  /** uuids[i] belongs to client-i. */
  uuids: string[];
}

/** Fills a data folder with one vless inbound on 127.0.0.1:`port` and `count` clients, as rows. */
export async function seedClients(dataDir: string, count: number, port: number): Promise<Seeded> {
  const store = await openStore({ dataDir, clock: Date.now, log: QUIET });
  const uuids = Array.from({ length: count }, () => randomUUID());
  const now = Date.now();
  await store.write(async (trx) => {
    await trx
      .insertInto('inbounds')
      .values({
        id: 1,
        tag: `in-${port}-tcp`,
        remark: 'bench',
        enable: 1,
        disabledBy: '',
        listen: '127.0.0.1',
        port,
        protocol: 'vless',
        settings: '{"decryption":"none"}',
        streamSettings: '{"network":"tcp","security":"none"}',
        sniffing: '{"enabled":false}',
        expiresAtMs: 0,
        quotaBytes: 0,
        upBytes: 0,
        downBytes: 0,
        trafficReset: 'never',
        lastTrafficResetAtMs: 0,
        nodeId: null,
        originNodeGuid: '',
        createdAtMs: now,
        updatedAtMs: now,
      })
      .execute();
    const ids = Float64Array.from({ length: count }, (_, i) => i + 1);
    const emails = Array.from({ length: count }, (_, i) => `client-${i}@example.org`);
    const subIds = uuids.map((uuid) => uuid.replaceAll('-', ''));
    await runBatch(
      trx,
      sql`INSERT INTO clients (id, email, emailKey, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId, groupName, comment, createdAtMs, updatedAtMs, searchKey)
          VALUES (${0}, ${''}, ${''}, ${''}, ${''}, '', '', '', '', '', 0, 0, '', '', ${0}, ${0}, ${''})`,
      [ids, emails, emails, subIds, uuids, [now], [now], emails.map((email, i) => `${email}\u001f${subIds[i]}\u001f`)],
      count,
    );
    await runBatch(
      trx,
      sql`INSERT INTO clientStates (clientId, enable, disabledBy, quotaBytes, expiresAtMs, resetDays, upBytes, downBytes, lastOnlineAtMs)
          VALUES (${0}, 1, '', 1000000000000, ${0}, 0, 0, 0, 0)`,
      [ids, [now + 30 * 86_400_000]],
      count,
    );
    await runBatch(trx, sql`INSERT INTO clientInbounds VALUES (${0}, 1, '', '', ${0})`, [ids, [now]], count);
  });
  await store.close();
  return { inboundId: 1, port, uuids };
}

/** Adds inbounds up to `count`, and spreads the clients evenly with `each` attachments. @returns their ids. */
export async function spreadOver(dataDir: string, count: number, each: number): Promise<number[]> {
  const store = await openStore({ dataDir, clock: Date.now, log: QUIET });
  const inboundIds = Array.from({ length: count }, (_, i) => i + 1);
  await store.write(async (trx) => {
    const { id: _, ...first } = await trx
      .selectFrom('inbounds')
      .selectAll()
      .where('id', '=', 1)
      .executeTakeFirstOrThrow();
    for (const id of inboundIds.slice(1))
      await trx
        .insertInto('inbounds')
        .values({ ...first, id, listen: `127.0.1.${id}`, tag: `spread-${id}` })
        .execute();
    for (let step = 1; step < each; step++)
      await sql`INSERT INTO clientInbounds SELECT clientId, (clientId + ${step} * 7) % ${count - 1} + 2, '', '', createdAtMs
        FROM clientInbounds WHERE inboundId = 1`.execute(trx);
  });
  await store.close();
  return inboundIds;
}
