import { CompiledQuery, sql, type KyselyPlugin } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../store/open-store.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { trafficPanel } from '../../../testing/panels/traffic-panel.ts';

const CLIENTS = 3_000;
/**
 * What may be read from end to end: what the tick itself put there, counters that changed hands since the last one, JSON
 * parameters, the journal entry that is open (one row, or none), and the inbounds and outbounds, of which a panel has few.
 */
const SMALL = /^SCAN (moved|changed|temp\.\w+|j|wanted|openEntry|json_each|inbounds?|outboundTraffics)\b/;
/** Indexes that hold exactly what is due, which is nearly always nothing. */
const DUE = /USING (COVERING )?INDEX clientStates(Peer)?Depleted\b/;

let seen: Map<string, CompiledQuery>;
const panel = forEachTest(trafficPanel);
beforeEach(async () => {
  seen = new Map();
  const { store } = panel;
  const watch: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const compiled = store.reader.getExecutor().compileQuery(node, queryId);
      seen.set(compiled.sql, compiled);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const watched: Store = {
    ...store,
    reader: store.reader.withPlugin(watch),
    write: (work) => store.write((trx) => work(trx.withPlugin(watch))),
  };
  const inboundId = await panel.addInbound('in-443-tcp');
  await store.write(async (trx) => {
    const numbers = sql.raw(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CLIENTS})`);
    await sql`${numbers} INSERT INTO clients (id, email, emailKey, subId, uuid, password, auth, flow, security, reverse,
        limitIp, tgId, groupName, comment, createdAtMs, updatedAtMs, searchKey)
      SELECT i, 'u' || i, 'u' || i, 's' || i, '', '', '', '', '', '', 0, 0, '', '', 0, 0, 'u' || i FROM n`.execute(trx);
    await sql`${numbers} INSERT INTO clientStates (clientId, enable, disabledBy, quotaBytes, expiresAtMs, resetDays, resetDay,
        upBytes, downBytes, lastOnlineAtMs)
      SELECT i, 1, '', 1000000, ${panel.clock()} + i % 7 * 86400000, i % 3 * 10, 0, 0, 0, 0 FROM n`.execute(trx);
    await sql`${numbers} INSERT INTO clientInbounds (clientId, inboundId, flowOverride, passwordOverride, createdAtMs)
      SELECT i, ${inboundId}, '', '', 0 FROM n`.execute(trx);
  });
  await panel.service().close();
  panel.reopen({ store: watched });
});

/** Ticks in which clients move, reach their quota, expire, begin and renew. */
async function busyTicks(): Promise<void> {
  // A restarted core would begin with empty tables.
  await panel.set({ restartCoreOnClientDisable: false });
  for (let id = 1; id <= CLIENTS; id++) panel.core.move('users', `u${id}`, 1, 0);
  await panel.service().tick();
  // What a new process of the core needs once is no tick.
  seen.clear();
  for (let round = 0; round < 3; round++) {
    for (let id = 1; id <= 40; id++) panel.core.move('users', `u${id}`, id * 10_000, 5);
    panel.core.move('inbounds', 'in-443-tcp', 5, 5);
    panel.core.move('outbounds', 'direct', 5, 5);
    panel.core.online = [{ email: 'u50', ips: [] }];
    await panel.advance(86_400_000);
    await panel.service().tick();
  }
}

/** Whether what is read are the statement's own parameters. */
const isOfParameters = (detail: string, text: string): boolean =>
  detail === 'SCAN CONSTANT ROW' || (detail.startsWith('SCAN (subquery') && text.includes('FROM (VALUES'));

/** Steps that read a table or index from end to end, with their statement. */
async function scans(): Promise<string[]> {
  const statements = [...seen.values()].filter(({ sql: text }) => /^\s*(SELECT|UPDATE|DELETE|INSERT|WITH)/i.test(text));
  return panel.store.write(async (trx) => {
    const found: string[] = [];
    for (const { sql: text, parameters } of statements) {
      const plain = parameters.map((value) => (typeof value === 'object' ? 0 : value));
      const { rows } = await trx.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`EXPLAIN QUERY PLAN ${text}`, plain),
      );
      for (const { detail } of rows)
        if (detail.startsWith('SCAN') && !SMALL.test(detail) && !DUE.test(detail) && !isOfParameters(detail, text))
          found.push(`${detail}\n  in ${text.replace(/\s+/g, ' ')}`);
    }
    return found;
  });
}

it('no statement of a tick reads all clients, before and after the database knows its tables', async () => {
  await busyTicks();
  const texts = [...seen.keys()].join('\n');
  for (const part of [
    'temp.moved',
    'temp.counted',
    'trafficLedger',
    "disabledBy = 'loop'",
    'expiresAtMs < 0',
    'json_extract',
  ])
    expect(texts).toContain(part);
  expect(await scans()).toEqual([]);
  await panel.store.write((trx) => sql`ANALYZE`.execute(trx));
  expect(await scans()).toEqual([]);
});

it('who renews is found by the index over ends, whichever way it renews', async () => {
  await busyTicks();
  const due = [...seen.values()].find(({ sql: text }) => /^SELECT clientId AS id.*resetDay > 0/s.test(text))!;
  const { rows } = await panel.store.reader.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`EXPLAIN QUERY PLAN ${due.sql}`, [...due.parameters]),
  );
  expect(rows[0]?.detail).toBe(
    'SEARCH clientStates USING INDEX clientStatesRenewing (expiresAtMs>? AND expiresAtMs<?)',
  );
});
