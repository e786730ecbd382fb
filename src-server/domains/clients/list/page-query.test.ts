import * as fc from 'fast-check';
import { CompiledQuery, sql, type RawBuilder } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forAllTests } from '../../../testing/for-each-test.ts';
import { DAY_MS, GIB, startClientPanel } from '../../../testing/panels/client-panel.ts';
import { inFiles } from '../../../testing/postgres/databases.ts';
import { eachObject } from '../../../store/dialect/each-json.ts';
import { foldText } from '../../../store/fold-text.ts';
import { ClientPageQuery, type ClientPage } from './contract.ts';
import { momentOf } from './near-limits.ts';
import { planPage } from './page-query.ts';
import { countClients, countHits, groupLabels, hits, orderedPage, sliceOf } from './repository-page.ts';
import { searchKeyOf } from './search/search-key.ts';
import { changedKeys, newKeys } from './search/repository-search.ts';
import { onlineAmong } from './repository-summary.ts';

interface Model {
  email: string;
  subId: string;
  comment: string;
  enable: boolean;
  quotaBytes: number;
  expiresAtMs: number;
  upBytes: number;
  downBytes: number;
  /** Positions in the list of inbounds. */
  inbounds: number[];
}

const NOW = 1_700_000_000_000;
const NEAR = { expireDiff: 3, trafficDiff: 1, trafficDiffPercent: 12 };
const PROTOCOLS = ['vless', 'trojan', 'vmess'];
const QUOTAS = [0, 10 * GIB, 11 * GIB];
const EXPIRIES = [0, -DAY_MS, NOW - 1, NOW, NOW + 1, NOW + 3 * DAY_MS, NOW + 3 * DAY_MS - 1, NOW + 9 * DAY_MS];
const USED = [0, 5 * GIB, 9 * GIB, 9 * GIB + 1, 10 * GIB, 12 * GIB];

const clientsOf = fc.array(
  fc.record({
    name: fc.constantFrom('Al', 'a_l', 'axl', 'a%l', 'Жук', 'x"l'),
    comment: fc.constantFrom('', 'Al', '100%', 'Ж\\УК', '[a]*?'),
    enable: fc.boolean(),
    quotaBytes: fc.constantFrom(...QUOTAS),
    expiresAtMs: fc.constantFrom(...EXPIRIES),
    upBytes: fc.constantFrom(...USED),
    downBytes: fc.constantFrom(0, 1),
    inbounds: fc.uniqueArray(fc.integer({ min: 0, max: 2 })),
    isOnline: fc.boolean(),
  }),
  { maxLength: 12 },
);
const bucketNames = ['active', 'deactive', 'depleted', 'expiring', 'online'];
const query = fc.record({
  page: fc.integer({ min: 1, max: 3 }),
  pageSize: fc.constantFrom(1, 4, 200),
  search: fc.constantFrom(
    '',
    'al',
    'A_',
    'A_l',
    'a%L',
    'жУк',
    'sub1',
    '"l',
    '%',
    'жу',
    '\\',
    'L\u001f',
    'l',
    'Ж',
    '*',
    '?',
    '[',
    ']',
  ),
  filter: fc.subarray([...bucketNames, 'unknown']),
  protocol: fc.subarray(PROTOCOLS),
  sort: fc.constantFrom('', 'enable', 'email', 'inboundIds', 'traffic', 'remaining', 'expiryTime', 'nonsense'),
  order: fc.constantFrom('', 'ascend', 'descend'),
});

const usedOf = ({ upBytes, downBytes }: Model) => upBytes + downBytes;
const isExpired = (client: Model) => client.expiresAtMs > 0 && client.expiresAtMs <= NOW;
const isDepleted = (client: Model) =>
  (client.quotaBytes > 0 && usedOf(client) >= client.quotaBytes) || isExpired(client);
const isNear = (client: Model) =>
  (client.expiresAtMs > 0 && client.expiresAtMs - NOW < NEAR.expireDiff * DAY_MS) ||
  (client.quotaBytes > 0 &&
    client.quotaBytes - usedOf(client) <
      Math.max(NEAR.trafficDiff * GIB, client.quotaBytes * (NEAR.trafficDiffPercent / 100)));

/** The same list, computed from all clients. */
function naive(clients: readonly Model[], pageQuery: ClientPageQuery, online: ReadonlySet<string>) {
  const buckets: Record<string, (client: Model) => boolean> = {
    active: (client) => client.enable && !isDepleted(client),
    deactive: (client) => !client.enable,
    depleted: isDepleted,
    exhausted: (client) => isDepleted(client) && !isExpired(client),
    expired: isExpired,
    expiring: (client) => client.enable && !isDepleted(client) && isNear(client),
    online: (client) => client.enable && online.has(client.email),
  };
  const keys: Record<string, (client: Model) => number | string> = {
    enable: (client) => (client.enable ? 1 : 0),
    email: (client) => foldText(client.email),
    inboundIds: (client) => client.inbounds.length,
    traffic: usedOf,
    remaining: (client) => (client.quotaBytes > 0 ? client.quotaBytes - usedOf(client) : Infinity),
    expiryTime: (client) => (client.expiresAtMs > 0 ? client.expiresAtMs : Infinity),
  };
  const term = foldText(pageQuery.search.trim()).replaceAll('\u001f', ' ');
  const hits = clients.filter(
    (client) =>
      [client.email, client.subId, client.comment].some((text) => foldText(text).includes(term)) &&
      (pageQuery.filter.length === 0 ||
        pageQuery.filter.some((name) => buckets[name] === undefined || buckets[name](client))) &&
      (pageQuery.protocol.length === 0 || client.inbounds.some((at) => pageQuery.protocol.includes(PROTOCOLS[at]!))),
  );
  const key = keys[pageQuery.sort];
  const sign = pageQuery.order === 'descend' ? -1 : 1;
  const sorted =
    key === undefined ? hits : hits.toSorted((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0));
  const offset = (pageQuery.page - 1) * pageQuery.pageSize;
  return {
    filtered: hits.length,
    emails: sorted.slice(offset, offset + pageQuery.pageSize).map(({ email }) => email),
    summary: {
      total: clients.length,
      active: clients.filter((client) => client.enable && !isDepleted(client) && !isNear(client)).length,
      depleted: clients.filter(isDepleted).map(({ email }) => email),
      expiredCount: clients.filter(isExpired).length,
      deactive: clients.filter((client) => !client.enable && !isDepleted(client)).map(({ email }) => email),
      expiring: clients.filter(buckets['expiring']!).map(({ email }) => email),
      online: clients.filter(buckets['online']!).map(({ email }) => email),
    },
  };
}

const inboundIds: number[] = [];
const panel = forAllTests(startClientPanel);
beforeAll(async () => {
  await panel.set(NEAR);
  for (const protocol of PROTOCOLS) inboundIds.push(await panel.inbound(protocol));
});

describe('the paged list equals a full computation over all clients', () => {
  beforeEach(async () => {
    expect(panel.time.nowMs).toBe(NOW);
  });

  test('for any clients and any query', async () => {
    await fc.assert(
      fc.asyncProperty(clientsOf, fc.array(query, { minLength: 1, maxLength: 4 }), async (drawn, queries) => {
        const clients = drawn.map(({ name, ...rest }, at): Model => ({
          ...rest,
          email: `${name}${at}`,
          subId: `sub${at}`,
        }));
        await write(clients);
        const online = new Set(clients.filter((_, at) => drawn[at]!.isOnline).map(({ email }) => email));
        panel.setOnline(online);
        for (const drawnQuery of queries) {
          const pageQuery = { ...ClientPageQuery.parse({}), ...drawnQuery };
          const found = await panel.service.page(pageQuery);
          const { filtered, emails, summary } = naive(clients, pageQuery, online);
          expect({ filtered: found.filtered, emails: found.items.map(({ email }) => email) }).toEqual({
            filtered,
            emails,
          });
          expect(found.summary).toMatchObject(summary satisfies Partial<ClientPage['summary']>);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('for thousands of hits, in every order and from both ends', async () => {
    const clients = Array.from({ length: 4_500 }, (_, at): Model => ({
      email: `${at % 2 === 0 ? 'Даня' : 'al'}${(at * 7_919) % 4_500}`,
      subId: `sub${at}`,
      comment: at % 3 === 0 ? 'note' : '',
      enable: at % 7 !== 0,
      quotaBytes: QUOTAS[at % QUOTAS.length]!,
      expiresAtMs: EXPIRIES[at % EXPIRIES.length]!,
      upBytes: USED[at % USED.length]!,
      downBytes: at % 5,
      inbounds: at % 4 === 0 ? [0, 1] : [2],
    }));
    await writeAtOnce(clients);
    const online = new Set<string>();
    panel.setOnline(online);
    for (const search of ['a', 'ДАНЯ', 'sub4', 'note'])
      for (const sort of ['', 'email', 'traffic', 'remaining', 'inboundIds'])
        for (const filter of [[], ['active', 'deactive'], ['depleted']])
          for (const page of [1, 11, 99]) {
            const drawn = { search, sort, filter, page, pageSize: 20, order: page === 11 ? 'descend' : '' };
            const pageQuery = { ...ClientPageQuery.parse({}), ...drawn };
            const found = await panel.service.page(pageQuery);
            const { filtered, emails } = naive(clients, pageQuery, online);
            const actual = { filtered: found.filtered, emails: found.items.map(({ email }) => email) };
            expect({ drawn, ...actual }).toEqual({ drawn, filtered, emails });
          }
  });
});

/** Replaces all clients in a few statements, like a change from outside this domain. */
async function writeAtOnce(clients: readonly Model[]): Promise<void> {
  const rows = JSON.stringify(
    clients.map((one) => ({
      ...one,
      enable: Number(one.enable),
      emailKey: foldText(one.email),
      searchKey: searchKeyOf(one),
    })),
  );
  const places = JSON.stringify(
    clients.flatMap(({ email, inbounds }) =>
      inbounds.map((at) => ({ emailKey: foldText(email), inboundId: inboundIds[at] })),
    ),
  );
  const number = (name: string) => sql`CAST(j.value ->> ${sql.lit(name)} AS INTEGER)`;
  await panel.store.write(async (trx) => {
    await trx.deleteFrom('clients').execute();
    await sql`INSERT INTO clients (email, emailKey, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId,
        groupName, comment, createdAtMs, updatedAtMs, searchKey)
      SELECT j.value ->> 'email', j.value ->> 'emailKey', j.value ->> 'subId', '', '', '', '', '', '', 0, 0, '',
        j.value ->> 'comment', 0, 0, j.value ->> 'searchKey' FROM ${eachObject(rows)} AS j ORDER BY j.key`.execute(trx);
    await sql`INSERT INTO clientStates (clientId, enable, disabledBy, quotaBytes, expiresAtMs, resetDays, upBytes, downBytes,
        lastOnlineAtMs)
      SELECT client.id, ${number('enable')}, '', ${number('quotaBytes')}, ${number('expiresAtMs')}, 0, ${number('upBytes')},
        ${number('downBytes')}, 0
      FROM ${eachObject(rows)} AS j JOIN clients AS client ON client.emailKey = j.value ->> 'emailKey'`.execute(trx);
    await sql`INSERT INTO clientInbounds (clientId, inboundId, flowOverride, passwordOverride, createdAtMs)
      SELECT client.id, ${number('inboundId')}, '', '', 0
      FROM ${eachObject(places)} AS j JOIN clients AS client ON client.emailKey = j.value ->> 'emailKey'`.execute(trx);
  });
  panel.publish({ type: 'invalidate', resource: 'clients' });
}

/** Replaces all clients. */
async function write(clients: readonly Model[]): Promise<void> {
  await panel.store.write(async (trx) => {
    await trx.deleteFrom('clients').execute();
  });
  panel.service.clientsChanged();
  const changed: number[] = [];
  for (const { email, subId, comment, inbounds } of clients) {
    await panel.add({ email, subId, comment }, [inboundIds[inbounds[0] ?? 0]!]);
    const { id } = (await panel.stored(email))!;
    changed.push(id);
  }
  await panel.store.write(async (trx) => {
    await trx.deleteFrom('clientInbounds').execute();
    for (const [at, client] of clients.entries()) {
      const clientId = changed[at]!;
      const { quotaBytes, expiresAtMs, upBytes, downBytes } = client;
      await trx
        .updateTable('clientStates')
        .set({ quotaBytes, expiresAtMs, upBytes, downBytes, enable: client.enable ? 1 : 0 })
        .where('clientId', '=', clientId)
        .execute();
      for (const place of client.inbounds)
        await trx
          .insertInto('clientInbounds')
          .values({ clientId, inboundId: inboundIds[place]!, flowOverride: '', passwordOverride: '', createdAtMs: 0 })
          .execute();
    }
  });
  panel.service.clientsChanged();
}

inFiles(describe)('statements of the list are found through indexes', () => {
  const moment = momentOf(NEAR, NOW);
  const plan = (values: Record<string, string>) =>
    planPage({ query: ClientPageQuery.parse(values), moment, onlineIds: [1], inboundIds: [1], total: 0 });
  async function explain(statement: RawBuilder<unknown>): Promise<string> {
    const { sql: text, parameters } = statement.compile(panel.store.reader);
    const { rows } = await panel.store.reader.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${text}`, [...parameters]),
    );
    return rows.map(({ detail }) => detail).join('\n');
  }

  const page = (values: Record<string, string>, total = 100_000, offset = 25) =>
    explain(orderedPage(plan(values), sliceOf(offset, 25, total), null));

  test('a page of all clients walks a key in order, without sorting, from the nearer end', async () => {
    expect(await page({})).toBe('SCAN state');
    expect(await page({ sort: 'email', order: 'descend' })).toMatch(/^SCAN client USING COVERING INDEX \S+$/);
    expect(await page({ sort: 'createdAt' })).toBe('SCAN client USING COVERING INDEX clientsByCreation');
    expect(await page({ sort: 'updatedAt' })).toBe('SCAN client USING COVERING INDEX clientsByUpdate');
    expect(sliceOf(90, 25, 100)).toEqual({ offset: 0, limit: 10, isReversed: true });
    expect(sliceOf(60, 25, 100)).toEqual({ offset: 15, limit: 25, isReversed: true });
    expect(sliceOf(200, 25, 100)).toEqual({ offset: 0, limit: 0, isReversed: true });
    expect(await page({}, 100, 90)).toBe('SCAN state');
  });

  test('other sorts read only the narrow table of states, and count no attachments', async () => {
    for (const sort of ['enable', 'traffic', 'remaining', 'expiryTime', 'inboundIds', 'lastOnline'])
      expect(await page({ sort })).toBe('SCAN state\nUSE TEMP B-TREE FOR ORDER BY');
  });

  test('the count of all clients does not read the wide table', async () => {
    expect(await explain(countClients)).toMatch(/^SCAN clientStates/);
  });

  test('search results are looked up by id, or marked while a key is walked in order', async () => {
    const few = Uint32Array.of(3, 7);
    const many = Uint32Array.from({ length: 2_001 }, (_, at) => at + 1);
    const filtered = plan({ filter: 'active' });
    expect(await explain(hits({ ...filtered, among: few }, 9))).toBe(
      'SCAN wanted VIRTUAL TABLE INDEX 1:\nSEARCH state USING INTEGER PRIMARY KEY (rowid=?)',
    );
    expect(await explain(countHits({ ...filtered, among: many }))).toBe('SCAN state');
    const sorted = (sort: string) =>
      explain(orderedPage({ ...plan({ sort }), among: many }, sliceOf(0, 25, 2_001), null));
    expect(await sorted('email')).toMatch(/^SCAN client USING COVERING INDEX \S+$/);
    expect(await sorted('createdAt')).toBe('SCAN client USING COVERING INDEX clientsByCreation');
    expect(await sorted('traffic')).toBe('SCAN state\nUSE TEMP B-TREE FOR ORDER BY');
  });

  test('changed and new search keys are read from where the last search ended', async () => {
    expect(await explain(changedKeys(7))).toBe(
      'SEARCH changed USING INTEGER PRIMARY KEY (rowid>?)\nSEARCH client USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    );
    expect(await explain(newKeys(7, 500))).toContain('SEARCH clients USING INTEGER PRIMARY KEY (rowid>?)');
  });

  test('a filter reads only the narrow table of states', async () => {
    const found = await explain(countHits(plan({ filter: 'depleted,online', usageFrom: '1' })));
    expect(found).toContain('SCAN state');
    expect(found).not.toMatch(/(SCAN|SEARCH) client /);
  });

  test('protocols, inbounds, groups and comments find their clients through indexes', async () => {
    const found = await explain(hits(plan({ protocol: 'vless' }), 9));
    expect(found).toContain('SEARCH link USING COVERING INDEX clientInboundsByInbound (inboundId=?)');
    expect(found).toContain('SEARCH state USING INTEGER PRIMARY KEY');
    expect(await explain(hits(plan({ group: 'vip' }), 9))).toContain(
      'SEARCH clients USING COVERING INDEX clientsByGroup (groupName=?)',
    );
    expect(await explain(hits(plan({ hasComment: 'no' }), 9))).toContain('USING INDEX clientsWithComment');
    expect(await explain(hits(plan({ hasTgId: 'yes' }), 9))).toContain('INDEX clientsByTelegram');
  });

  test('the summary looks up online clients one by one', async () => {
    const found = await explain(onlineAmong(['a']));
    expect(found.match(/SCAN .*/g)).toEqual(['SCAN wanted VIRTUAL TABLE INDEX 1:']);
    expect(found).toMatch(/SEARCH client USING /);
  });

  test('group names are found by skipping through the index, not by reading every client', async () => {
    const found = await explain(groupLabels);
    expect(found).toContain('SEARCH clients USING COVERING INDEX clientsByGroup (groupName>?)');
    expect(found).not.toContain('SCAN clients');
  });
});
