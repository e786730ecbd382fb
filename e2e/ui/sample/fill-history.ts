import { sql, type Kysely } from 'kysely';
import { addToDay } from '../../../src-server/domains/traffic/history/repository-client-days.ts';
import { openStore, type WriteTransaction } from '../../../src-server/store/open-store.ts';
import type { Schema } from '../../../src-server/store/schema.ts';
import { fillEvents } from './fill-events.ts';
import { samplePeople } from './people.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const HOUR_SEC = 3_600;
const DAY_SEC = 86_400;
const STEP_SEC = 2;

/** A day's rhythm in 0..1: a slow wave, a quicker one, a little noise. The same at every run. */
export function rhythm(atSec: number): number {
  const slow = Math.sin(atSec / 4_100);
  const quick = Math.sin(atSec / 310 + 1.3);
  const unrest = Math.sin(atSec / 17) * Math.sin(atSec / 7.3);
  return 0.5 + 0.24 * slow + 0.14 * quick + 0.1 * unrest;
}

/** Writes history into a stopped panel's database: six hours of figures, and weeks of traffic. */
export async function fillHistory(dataDir: string): Promise<void> {
  const store = await openStore({ dataDir, clock: Date.now, log: QUIET });
  try {
    await store.write(async (trx) => {
      await figures(trx, Math.floor(Date.now() / 1000));
      await traffic(trx, Math.floor(Date.now() / 1000));
      await sums(trx, Math.floor(Date.now() / 1000));
      await fillEvents(trx, Date.now());
    });
  } finally {
    await store.close();
  }
}

/** Data of the charts: the hours of the ledger, a year of days before them, and each client's traffic today. */
async function sums(trx: Kysely<Schema>, nowSec: number): Promise<void> {
  const place = sql`900, entry.bucketStartSec, entry.sourceId, sum(entry.upBytes), sum(entry.downBytes)`;
  await sql`DELETE FROM trafficTotals`.execute(trx);
  await sql`INSERT INTO trafficTotals SELECT 'all', '', ${place} FROM trafficLedger AS entry
    GROUP BY entry.bucketStartSec, entry.sourceId`.execute(trx);
  await sql`INSERT INTO trafficTotals SELECT 'group', client.groupName, ${place} FROM trafficLedger AS entry
    JOIN clients AS client ON client.id = entry.clientId WHERE client.groupName <> ''
    GROUP BY client.groupName, entry.bucketStartSec, entry.sourceId`.execute(trx);
  const { id } = await trx
    .selectFrom('trafficSources')
    .select('id')
    .where('kind', '=', 'core')
    .executeTakeFirstOrThrow();
  const today = nowSec - (nowSec % DAY_SEC);
  const days = Array.from({ length: 400 }, (_, at) => today - (at + 2) * DAY_SEC);
  const rows = days.map((bucketStartSec) => ({
    kind: 'all' as const,
    subject: '',
    spanSec: DAY_SEC,
    bucketStartSec,
    sourceId: id,
    upBytes: Math.round(1.2e11 * rhythm(bucketStartSec / 40)),
    downBytes: Math.round(9e11 * rhythm(bucketStartSec / 55)),
  }));
  await trx.insertInto('trafficTotals').values(rows).execute();
  const clients = await trx.selectFrom('clientStates').select(['clientId', 'upBytes', 'downBytes']).execute();
  await addToDay(
    trx as WriteTransaction,
    today,
    clients.map(({ clientId, upBytes, downBytes }) => ({ clientId, bytes: upBytes + downBytes })),
  );
}

async function figures(trx: Kysely<Schema>, nowSec: number): Promise<void> {
  for (let firstAtSec = nowSec - 6 * HOUR_SEC; firstAtSec < nowSec; firstAtSec += 60) {
    const at = Array.from({ length: 60 / STEP_SEC }, (_, index) => firstAtSec + index * STEP_SEC);
    const of = (low: number, high: number, shift = 0) =>
      at.map((sec) => Math.round(low + (high - low) * rhythm(sec + shift)));
    const samples = JSON.stringify({
      at,
      values: {
        cpu: of(6, 44),
        mem: of(36, 44, 900),
        swap: at.map(() => 3),
        diskUsage: at.map(() => 31),
        netUp: of(400_000, 2_600_000, 60),
        netDown: of(3_000_000, 21_000_000),
        tcpCount: of(140, 420),
        udpCount: of(12, 30),
        online: of(3, 19),
        load1: at.map((sec) => 0.2 + rhythm(sec)),
        load5: at.map((sec) => 0.3 + rhythm(sec - 300) / 2),
        load15: at.map(() => 0.44),
      },
    });
    await trx.insertInto('metricSamples').values({ kind: 'system', firstAtSec, samples }).execute();
  }
}

/** Counters equal the sum of their ledger: every row is added to both. */
async function traffic(trx: Kysely<Schema>, nowSec: number): Promise<void> {
  const source = await trx
    .selectFrom('trafficSources')
    .select('id')
    .where('kind', '=', 'core')
    .executeTakeFirstOrThrow();
  const people = new Map(samplePeople(nowSec * 1000).map((person) => [person.client.email, person]));
  const clients = await trx.selectFrom('clients').select(['id', 'email']).execute();
  const hours = Array.from({ length: 20 }, (_, index) => nowSec - (nowSec % HOUR_SEC) - index * HOUR_SEC);
  let upSum = 0;
  let downSum = 0;
  for (const { id, email } of clients) {
    const { uploadBytes = 0, downloadBytes = 0 } = people.get(email) ?? {};
    if (downloadBytes === 0) continue;
    const weights = hours.map((sec) => rhythm(sec + id * 700) ** 2);
    const whole = weights.reduce((sum, weight) => sum + weight, 0);
    const rows = hours.map((bucketStartSec, index) => ({
      spanSec: HOUR_SEC,
      bucketStartSec,
      clientId: id,
      sourceId: source.id,
      upBytes: Math.round((uploadBytes * weights[index]!) / whole),
      downBytes: Math.round((downloadBytes * weights[index]!) / whole),
    }));
    await trx.insertInto('trafficLedger').values(rows).execute();
    const upBytes = rows.reduce((sum, row) => sum + row.upBytes, 0);
    const downBytes = rows.reduce((sum, row) => sum + row.downBytes, 0);
    upSum += upBytes;
    downSum += downBytes;
    const lastOnlineAtMs = (nowSec - id * 1_900) * 1000;
    await trx
      .updateTable('clientStates')
      .set({ upBytes, downBytes, lastOnlineAtMs })
      .where('clientId', '=', id)
      .execute();
  }
  const inbounds = await trx.selectFrom('inbounds').select(['id']).orderBy('id').execute();
  const shares = [0.55, 0.3, 0.15];
  for (const [index, { id }] of inbounds.entries()) {
    const share = shares[index] ?? 0;
    await trx
      .updateTable('inbounds')
      .set({ upBytes: Math.round(upSum * share), downBytes: Math.round(downSum * share) })
      .where('id', '=', id)
      .execute();
  }
}
