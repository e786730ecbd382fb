import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store, WriteTransaction } from '../../../../store/open-store.ts';
import { isInFiles } from '../../../../testing/postgres/databases.ts';
import { openTestStore } from '../../../../testing/test-store.ts';
import { createClientSearch, type ClientSearch } from './client-search.ts';
import { createSearchPieces } from './search-pieces.ts';
import { searchKeyOf, searchTerm } from './search-key.ts';

let opened: Awaited<ReturnType<typeof openTestStore>>;
let store: Store;
let search: ClientSearch;
let nowMs = 0;
beforeEach(async () => {
  opened = await openTestStore(() => nowMs);
  ({ store } = opened);
  search = createClientSearch({ store, clock: () => nowMs });
});
afterEach(() => opened.dispose());

let last = 0;
/** Clients with these keys. */
async function insert(trx: WriteTransaction, keys: readonly string[]): Promise<void> {
  await sql`INSERT INTO clients (email, emailKey, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId,
      groupName, comment, createdAtMs, updatedAtMs, searchKey)
    SELECT ${++last} || ' ' || "key", ${last} || ' ' || "key", '', '', '', '', '', '', '', 0, 0, '', '', 0, 0, value
    FROM json_each(${JSON.stringify(keys)})`.execute(trx);
}

/** The same by reading every row. */
async function plainly(term: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM clients WHERE instr(searchKey, ${term}) > 0 ORDER BY id`.execute(store.reader);
  return rows.map(({ id }) => id);
}

async function expectExact(terms: readonly string[]): Promise<void> {
  for (const term of terms) expect([...(await search.idsWith(term))]).toEqual(await plainly(term));
}

const PARTS = [
  'a',
  'B',
  'ß',
  'Жук',
  '😀',
  '%',
  '_',
  '*',
  '?',
  '[',
  ']',
  '\\',
  '"',
  // PostgreSQL texts cannot contain a NUL.
  ...(isInFiles() ? ['\u0000'] : []),
  '\u0001',
  '\n',
  '\u001f',
  ' ',
  'é',
];
const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 4 }).map((parts) => parts.join(''));
const key = fc.record({ email: text, subId: text, comment: text }).map(searchKeyOf);
const position = fc.nat(40);
const operation = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), keys: fc.array(key, { minLength: 1, maxLength: 5 }) }),
  fc.record({ kind: fc.constant('bulk' as const), keys: key.map((one) => Array.from({ length: 700 }, () => one)) }),
  fc.record({ kind: fc.constant('rename' as const), at: position, key }),
  fc.record({ kind: fc.constant('delete' as const), from: position, to: position }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Positions count all clients from the newest. */
async function perform(trx: WriteTransaction, one: Operation): Promise<void> {
  const nth = (at: number) => sql`(SELECT id FROM clients ORDER BY id DESC LIMIT 1 OFFSET ${at * 37})`;
  if (one.kind === 'insert' || one.kind === 'bulk') await insert(trx, one.keys);
  else if (one.kind === 'rename')
    await sql`UPDATE clients SET searchKey = ${one.key} WHERE id = ${nth(one.at)}`.execute(trx);
  else await sql`DELETE FROM clients WHERE id BETWEEN ${nth(one.from)} AND ${nth(one.to)}`.execute(trx);
}

test('finds the same as a scan of all rows, whatever was written or rolled back in between', async () => {
  const step = fc.record({
    operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
    isRolledBack: fc.boolean(),
    rests: fc.boolean(),
    terms: fc.array(
      text.map(searchTerm).filter((term) => term !== ''),
      { minLength: 1, maxLength: 3 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const { operations, isRolledBack, rests, terms } of steps) {
        const written = store.write(async (trx) => {
          for (const one of operations) await perform(trx, one);
          if (isRolledBack) throw new Error('rolled back');
        });
        await (isRolledBack ? expect(written).rejects.toThrow('rolled back') : written);
        if (rests) {
          nowMs += 3_600_000;
          search.rest();
        }
        await expectExact([...terms, 'a']);
      }
    }),
    { numRuns: 40 },
  );
});

test('a term never matches across two clients, nor half a character', async () => {
  await store.write((trx) => insert(trx, ['one', 'two', '😀']));
  expect([...(await search.idsWith('et'))]).toEqual([]);
  expect([...(await search.idsWith('e'))]).toEqual([1]);
  expect([...(await search.idsWith(searchTerm('\ud83d')))]).toEqual([]);
});

test('clients that come back are found in the order of their ids', () => {
  const pieces = createSearchPieces();
  pieces.append([3, 5, 700], ['three', 'five', 'seven']);
  const gone = (id: number) => ({ id, key: null });
  pieces.change([gone(3), gone(5)]);
  expect([...pieces.idsWith('e')]).toEqual([700]);
  pieces.change([{ id: 5, key: 'five' }]);
  pieces.change([{ id: 3, key: 'three' }, gone(4), { id: 701, key: 'later' }]);
  expect([...pieces.idsWith('e')]).toEqual([3, 5, 700]);
  pieces.append([701], ['later']);
  expect([...pieces.idsWith('e')]).toEqual([3, 5, 700, 701]);
});

test('with more changes than are recorded, all keys are read again', async () => {
  await store.write((trx) =>
    insert(
      trx,
      Array.from({ length: 3_000 }, (_, at) => `name ${at}.`),
    ),
  );
  await expectExact(['name 7.']);
  await store.write((trx) => sql`UPDATE clients SET searchKey = 'other ' || id`.execute(trx));
  const { rows } = await sql<{ kept: number }>`SELECT count(*) AS kept FROM changedSearchKeys`.execute(store.reader);
  expect(rows).toEqual([{ kept: 2_000 }]);
  await expectExact(['name', 'other', 'other 7']);
  await store.write((trx) => sql`UPDATE clients SET searchKey = 'third' WHERE id <= 2000`.execute(trx));
  await expectExact(['other', 'third']);
});

test('writing the same key again is no change', async () => {
  await store.write((trx) => insert(trx, ['one']));
  await store.write((trx) => sql`UPDATE clients SET searchKey = searchKey, comment = 'c'`.execute(trx));
  expect(await store.reader.selectFrom('changedSearchKeys').selectAll().execute()).toEqual([]);
});

test('concurrent searches, and a write while the keys are read, do not interfere', async () => {
  await store.write((trx) =>
    insert(
      trx,
      Array.from({ length: 6_000 }, (_, at) => `name ${at}.`),
    ),
  );
  const early = search.idsWith('name');
  const write = store.write((trx) => sql`UPDATE clients SET searchKey = 'gone' WHERE id % 2 = 0`.execute(trx));
  await write;
  const late = await Promise.all([search.idsWith('name'), search.idsWith('gone')]);
  expect((await early).length).toBeGreaterThanOrEqual(3_000);
  expect(late.map((ids) => ids.length)).toEqual([3_000, 3_000]);
  await store.write((trx) =>
    insert(
      trx,
      Array.from({ length: 900 }, () => 'new'),
    ),
  );
  const together = await Promise.all([search.idsWith('new'), search.idsWith('new')]);
  expect(together.map((ids) => ids.length)).toEqual([900, 900]);
});

test('a failed read is discarded: the next search finds all clients', async () => {
  await store.write((trx) =>
    insert(
      trx,
      Array.from({ length: 600 }, () => 'name'),
    ),
  );
  let isBroken = true;
  const broken = createClientSearch({
    store: {
      reader: store.reader,
      get heavyReader() {
        if (isBroken) throw new Error('no thread');
        return store.heavyReader;
      },
    },
    clock: () => nowMs,
  });
  await expect(broken.idsWith('name')).rejects.toThrow('no thread');
  isBroken = false;
  expect(await broken.idsWith('name')).toHaveLength(600);
});
