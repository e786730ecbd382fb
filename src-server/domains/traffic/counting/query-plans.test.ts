import { CompiledQuery, sql, type KyselyPlugin } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../store/open-store.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { trafficPanel } from '../../../testing/panels/traffic-panel.ts';

const CLIENTS = 3_000;
/**
 * What may be scanned in full: tables filled by the tick itself, counters whose owner changed since the last one, JSON
 * parameters, the open journal entry (one row, or none), and the inbounds and outbounds, of which a panel has few.
 */
const SMALL = /^SCAN (moved|changed|temp\.\w+|j|wanted|openEntry|json_each|inbounds?|outboundTraffics)\b/;
/** Indexes that hold exactly the due rows, of which there are nearly always none. */
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

/** Ticks in which clients move bytes, reach their quota, expire, start and renew. */
async function busyTicks(): Promise<void> {
  // A restarted core would begin with empty tables.
  await panel.set({ restartCoreOnClientDisable: false });
  for (let id = 1; id <= CLIENTS; id++) panel.core.move('users', `u${id}`, 1, 0);
  await panel.service().tick();
  // The setup for a new core process is not part of a tick.
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

/** Whether the scan covers only the statement's own parameters. */
const isOfParameters = (detail: string, text: string): boolean =>
  detail === 'SCAN CONSTANT ROW' || (detail.startsWith('SCAN (subquery') && text.includes('FROM (VALUES'));

/** Steps that scan a table or index in full, with their statement. */
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

it('renewals due are found by the index over expiries, for every kind of renewal', async () => {
  await busyTicks();
  const due = [...seen.values()].find(({ sql: text }) => /^SELECT clientId AS id.*resetDay > 0/s.test(text))!;
  const { rows } = await panel.store.reader.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`EXPLAIN QUERY PLAN ${due.sql}`, [...due.parameters]),
  );
  expect(rows[0]?.detail).toBe(
    'SEARCH clientStates USING INDEX clientStatesRenewing (expiresAtMs>? AND expiresAtMs<?)',
  );
});
