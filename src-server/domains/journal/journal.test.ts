import { beforeEach, expect, test } from 'vitest';
import { checkJournal } from '../../cli/doctor/journal.ts';
import type { JsonObject } from '../../contract/json.ts';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import { forEachTest } from '../../testing/for-each-test.ts';
import { capturedState, unbalanced } from '../../testing/journal/captured-state.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { beside } from '../../testing/postgres/databases.ts';
import type { ApiDocument } from '../../openapi/document.ts';
import type { BinItem, JournalEntry, JournalRow, UndoPreview } from './contract.ts';

const DAY_MS = 86_400_000;
let inbound: number;
const panel = forEachTest(openPanel);
beforeEach(async () => {
  inbound = await panel.inbound(4001);
  for (const email of ['anna', 'bert', 'cleo'])
    await panel.add({ email, subId: `sub-${email}`, group: email === 'cleo' ? '' : 'vip' }, [inbound]);
  for (const email of ['anna', 'bert'])
    await panel.done(`/clients/updateTraffic/${email}`, { upload: 1_000, download: 500 });
});

const list = async (query = ''): Promise<JournalEntry[]> =>
  (await panel.read<{ entries: JournalEntry[] }>(`/journal/list?limit=200${query}`)).entries;
const newest = async (): Promise<JournalEntry> => (await list())[0]!;
const bin = async (): Promise<BinItem[]> => (await panel.read<{ items: BinItem[] }>('/journal/bin')).items;
const journalFinding = () => beside(panel.dataDir, () => checkJournal(panel.dataDir));
const state = () => capturedState(panel.store.reader);
const used = async (email: string): Promise<number> => {
  const row = await panel.state(email);
  return (row?.upBytes ?? 0) + (row?.downBytes ?? 0);
};

test('restored clients are found, also by a search that has looked while they were gone', async () => {
  const found = async (term: string) =>
    (await panel.read<{ items: { email: string }[] }>(`/clients/list/paged?search=${term}`)).items.map(
      ({ email }) => email,
    );
  expect(await found('sub-')).toEqual(['anna', 'bert', 'cleo']);
  await panel.done('/clients/bulkDel', { emails: ['anna', 'cleo'] });
  expect(await found('sub-')).toEqual(['bert']);
  const [{ id } = { id: 0 }] = (await bin()).filter(({ name }) => name === 'cleo');
  await panel.done('/journal/bin/restore', { kind: 'client', ids: [id] });
  expect(await found('sub-')).toEqual(['bert', 'cleo']);
  await panel.done('/clients/del/bert');
  expect(await found('ber')).toEqual([]);
  await panel.done(`/journal/undo/${(await newest()).id}`);
  expect(await found('ber')).toEqual(['bert']);
});

test('deleted clients are restored one by one with counters, ledger and the total of their group', async () => {
  const before = await state();
  await panel.done('/clients/bulkDel', { emails: ['anna', 'bert', 'cleo'] });
  const entry = await newest();
  expect(entry.parts).toEqual([
    { kind: 'client', action: 'deleted', count: 3, names: ['anna', 'bert', 'cleo'], fields: [] },
  ]);
  // The ledger's roll-up keeps what can be restored.
  panel.jumpClock(10 * DAY_MS);
  await panel.advance(120_000);
  const items = await bin();
  expect(items.map(({ name }) => name).sort()).toEqual(['anna', 'bert', 'cleo']);
  const [anna, bert, cleo] = ['anna', 'bert', 'cleo'].map((name) => items.find((item) => item.name === name)!.id);

  expect(await panel.done('/journal/bin/restore', { kind: 'client', ids: [bert] })).toEqual({
    restored: 1,
    skipped: [],
  });
  expect(await used('bert')).toBe(1_500);
  const groups = await panel.read<{ name: string; trafficUsed: number }[]>('/clients/groups');
  expect(groups).toMatchObject([{ name: 'vip', trafficUsed: 3_000 }]);
  const refused = await panel.post(`/journal/undo/${entry.id}`);
  expect(refused.error?.code).toBe('journal.partlyRestored');

  // A new owner of the name keeps it, and the others are restored.
  await panel.add({ email: 'CLEO' }, [inbound]);
  const later = (await newest()).id;
  const undone = await panel.done<{ restored: number; skipped: { name: string; code: string; params: object }[] }>(
    '/journal/bin/restore',
    { kind: 'client', ids: [anna, cleo] },
  );
  expect(undone).toMatchObject({
    restored: 1,
    skipped: [{ name: 'cleo', code: 'journal.takenLater', params: { name: 'cleo', id: later } }],
  });
  await panel.done('/clients/del/CLEO');
  await panel.done('/journal/bin/restore', { kind: 'client', ids: [cleo] });
  expect((await state())['clients']).toEqual(before['clients']);
  expect((await state())['clientInbounds']).toEqual(before['clientInbounds']);
  expect(await unbalanced(panel.store.reader)).toEqual([]);
  expect((await bin()).map(({ name }) => name)).toEqual(['CLEO']);
  expect(await journalFinding()).toMatchObject([{ ok: true }]);
});

test('an entry names the inbound that a client was taken off, also after it is gone', async () => {
  const id = await panel.inbound(4002, { remark: 'Oslo' });
  await panel.done('/clients/anna/attach', { inboundIds: [id] });
  const attached = await newest();
  const namedIn = async (entry: number): Promise<unknown> => {
    const { rows } = await panel.read<{ rows: JournalRow[] }>(`/journal/entry/${entry}`);
    return rows.find(({ table }) => table === 'clientInbounds')?.fields.find(({ name }) => name === 'inboundId')?.after;
  };
  expect(await namedIn(attached.id)).toBe(`Oslo (#${id})`);
  await panel.done(`/inbounds/del/${id}`);
  expect(await namedIn(attached.id)).toBe(`Oslo (#${id})`);
});

test('what was erased for good leaves no trace and cannot be restored', async () => {
  await panel.done('/clients/update/anna', {
    email: 'anna',
    subId: 'sub-anna',
    id: '11111111-2222-4333-8444-555555555555',
  });
  await panel.done('/clients/bulkDel', { emails: ['anna', 'bert'] });
  const entry = await newest();
  const anna = (await bin()).find(({ name }) => name === 'anna')!;
  expect(await panel.done('/journal/bin/erase', { kind: 'client', ids: [anna.id] })).toEqual({ erased: 1 });
  expect(await newest()).toMatchObject({
    parts: [{ kind: 'bin', action: 'deleted', count: 1, names: ['anna'] }],
    undoRefusal: 'journal.notUndoable',
  });
  const kept = JSON.stringify(await panel.store.reader.selectFrom('journalRows').selectAll().execute());
  expect(kept).not.toContain('11111111-2222');
  expect((await panel.post(`/journal/undo/${entry.id}`)).error?.code).toBe('journal.erased');
  expect((await panel.post('/journal/bin/restore', { kind: 'client', ids: [anna.id] })).error?.code).toBe(
    'journal.notInBin',
  );
  // The other one is unchanged, and the chain records why rows are missing.
  const bert = (await bin()).find(({ name }) => name === 'bert')!;
  await panel.done('/journal/bin/restore', { kind: 'client', ids: [bert.id] });
  expect(await used('bert')).toBe(1_500);
  expect(await journalFinding()).toMatchObject([{ ok: true }]);
});

test('a refused undo gives its reason and the later entry, and traffic counted since is kept', async () => {
  await panel.done('/clients/bulkAdjust', { emails: ['cleo'], addBytes: 5 });
  await panel.done('/clients/update/cleo', { email: 'cleo', subId: 'sub-cleo', totalGB: 10_000, group: '' });
  const first = await newest();
  await panel.done('/clients/bulkAdjust', { emails: ['cleo'], addBytes: 5_000 });
  const second = await newest();
  const { refusals } = await panel.read<UndoPreview>(`/journal/undo/${first.id}`);
  const refusal = { code: 'journal.laterEntry', params: { name: 'cleo', id: second.id }, entryId: second.id };
  expect(refusals).toEqual([{ ...refusal, msg: `cleo was changed again later: take back entry ${second.id} first` }]);
  const before = await state();
  expect((await panel.post(`/journal/undo/${first.id}`)).error).toEqual({ code: refusal.code, params: refusal.params });
  expect(await state()).toEqual(before);
  expect((await newest()).id).toBe(second.id);

  await panel.done(`/clients/resetTraffic/anna`);
  const reset = await newest();
  panel.write(`UPDATE clientStates SET upBytes = upBytes + 30 WHERE clientId = 1`);
  panel.write(`UPDATE trafficLedger SET upBytes = upBytes + 30
    WHERE clientId = 1 AND sourceId = (SELECT max(sourceId) FROM trafficLedger WHERE clientId = 1)`);
  await panel.done(`/journal/undo/${reset.id}`);
  expect(await used('anna')).toBe(1_530);
  expect(await unbalanced(panel.store.reader)).toEqual([]);
  const undo = await newest();
  expect(undo).toMatchObject({ undoOf: reset.id, verb: 'POST /panel/api/journal/undo/:id', undoRefusal: '' });
  expect((await panel.post(`/journal/undo/${reset.id}`)).error?.code).toBe('journal.alreadyUndone');
  await panel.done(`/journal/undo/${undo.id}`);
  expect(await used('anna')).toBe(30);
  expect((await list()).find(({ id }) => id === reset.id)?.undoneBy).toBe(0);
});

test('of two requests at once to undo an entry, one does', async () => {
  await panel.done('/clients/updateTraffic/cleo', { upload: 1_000, download: 500 });
  await panel.done('/clients/resetTraffic/cleo');
  const { id } = await newest();
  const responses = await Promise.all([panel.post(`/journal/undo/${id}`), panel.post(`/journal/undo/${id}`)]);
  expect(responses.map(({ error }) => error?.code ?? '').sort()).toEqual(['', 'journal.alreadyUndone']);
  expect(await used('cleo')).toBe(1_500);
});

test('of two requests at once to undo an addition, the second one hears that it is undone already', async () => {
  await panel.add({ email: 'dora' }, [inbound]);
  const { id } = await newest();
  const responses = await Promise.all([panel.post(`/journal/undo/${id}`), panel.post(`/journal/undo/${id}`)]);
  expect(responses.map(({ error }) => error?.code ?? '').sort()).toEqual(['', 'journal.alreadyUndone']);
});

test('a former inbound has to be valid today: its port may be taken', async () => {
  await panel.done(`/inbounds/del/${inbound}`);
  const entry = await newest();
  await panel.inbound(4001, { tag: 'another' });
  const { refusals } = await panel.read<UndoPreview>(`/journal/undo/${entry.id}`);
  expect(refusals.map(({ code }) => code)).toEqual([expect.stringMatching(/inbound\.portTaken|journal\.takenLater/)]);
  expect((await panel.post(`/journal/undo/${entry.id}`)).success).toBe(false);
});

test('a former template has to be valid today: its inbounds meet those of the panel as in a save', async () => {
  const saved = (inbounds: JsonObject[]) => {
    const xraySetting = JSON.stringify({ ...defaultTemplate(), inbounds });
    return panel.post('/core/update', new URLSearchParams({ xraySetting }));
  };
  const byHand = [{ tag: 'by-hand', port: 4002, protocol: 'socks' }];
  expect((await saved(byHand)).success).toBe(true);
  expect((await saved([])).success).toBe(true);
  const entry = await newest();
  const added = await panel.inbound(4002);
  const { error } = await saved(byHand);
  expect(error).toMatchObject({ code: 'inbound.portTaken' });
  const { refusals } = await panel.read<UndoPreview>(`/journal/undo/${entry.id}`);
  expect(refusals).toMatchObject([error]);
  expect((await panel.post(`/journal/undo/${entry.id}`)).error).toEqual(error);
  await panel.done(`/inbounds/del/${added}`);
  await panel.inbound(4003, { tag: 'by-hand' });
  expect((await panel.post(`/journal/undo/${entry.id}`)).error).toMatchObject({ code: 'inbound.tagTaken' });
});

test('reads, changes without effect and automatic changes are not journaled', async () => {
  const before = (await list()).length;
  await panel.done('/clients/bulkEnable', { emails: ['anna'] });
  await panel.done('/setting/update', {});
  panel.write(`UPDATE clientStates SET quotaBytes = 10`);
  await panel.tick();
  expect((await panel.state('anna'))?.disabledBy).toBe('loop');
  expect(await list()).toHaveLength(before);
});

test('the list can be filtered by actor, kind, name and time, and exported as a file', async () => {
  await panel.done('/setting/update', { pageSize: 33 });
  expect((await list('&kind=setting')).map(({ parts }) => parts[0]!.names)).toEqual([['pageSize']]);
  expect(await list('&actor=bot')).toEqual([]);
  expect((await list('&search=anna')).length).toBeGreaterThan(1);
  expect(await list(`&from=${panel.clock() + 1}`)).toEqual([]);
  const browser = await panel.signedIn();
  const { text: csv } = await browser.get('panel/api/journal/export?kind=setting');
  expect(csv).toContain('1 setting changed: pageSize');
});

test('the API document names the content types of the export', async () => {
  const browser = await panel.signedIn();
  const document = JSON.parse((await browser.get('panel/api/openapi.json')).text) as ApiDocument;
  const { responses } = document.paths['/panel/api/journal/export']!['get'] as {
    responses: Record<string, { content: Record<string, object> }>;
  };
  const named = Object.keys(responses['200']!.content);
  const sent = await Promise.all(
    ['csv', 'json'].map(async (format) => {
      const { headers } = await browser.get(`panel/api/journal/export?format=${format}`);
      return headers['content-type']!.split(';')[0];
    }),
  );
  expect(named).toEqual(sent);
});

test('a search ignores case, also of letters that the database does not know', async () => {
  const id = await panel.inbound(4002, { remark: 'Моя Германия' });
  await panel.done(`/inbounds/del/${id}`);
  for (const search of ['Германия', 'германия', 'моя германия', 'ГЕРМАНИЯ', 'я Герман']) {
    const query = `&search=${encodeURIComponent(search)}`;
    expect(await list(query), search).toHaveLength(2);
    expect((await panel.read<{ total: number }>(`/journal/bin?limit=9${query}`)).total, search).toBe(1);
  }
  expect(await list(`&search=${encodeURIComponent('Франция')}`)).toEqual([]);
  await panel.done('/clients/del/anna');
  expect((await panel.read<{ total: number }>('/journal/bin?search=ANN')).total).toBe(1);
});

test('of what was deleted at the same time, every page of the bin has its own part', async () => {
  const more = [await panel.inbound(4003), await panel.inbound(4004)];
  for (const inboundId of [...more, ...more])
    await panel.done('/hosts/add', { inboundId, remark: 'host', address: 'host.example' });
  await panel.done('/inbounds/bulkDel', { ids: more });
  const pages = [0, 2, 4].map((skip) =>
    panel.read<{ items: BinItem[] }>(`/journal/bin?limit=2&skip=${skip}`).then(({ items }) => items),
  );
  expect((await Promise.all(pages)).flat().map(({ kind, id }) => [kind, id])).toEqual([
    ['inbound', 3],
    ['inbound', 2],
    ['host', 4],
    ['host', 3],
    ['host', 2],
    ['host', 1],
  ]);
});

test('after thirty days entries and deleted things are gone, and the hash chain continues', async () => {
  await panel.done('/clients/del/anna');
  const old = await newest();
  panel.jumpClock(29 * DAY_MS);
  await panel.tick();
  panel.jumpClock(2 * DAY_MS);
  await panel.done('/clients/del/bert');
  await panel.parts.records.journal.prune();
  const left = await list();
  expect(left).toHaveLength(1);
  expect((await bin()).map(({ name }) => name)).toEqual(['bert']);
  expect((await panel.get(`/journal/undo/${old.id}`)).error?.code).toBe('journal.unknown');
  expect(await journalFinding()).toEqual([{ ok: true, text: 'The journal is whole (entries: 1).' }]);
  await panel.done(`/journal/undo/${left[0]!.id}`);
  expect(await used('bert')).toBe(1_500);
});

test('a clock that is years ahead for a minute deletes nothing', async () => {
  await panel.done('/clients/del/anna');
  const before = await list();
  panel.jumpClock(3_653 * DAY_MS);
  await panel.parts.records.journal.prune();
  await panel.advance(60_000);
  panel.jumpClock(-3_653 * DAY_MS);
  await panel.parts.records.journal.prune();
  expect(await list()).toEqual(before);
});

test.each([
  ['an entry', `UPDATE journal SET name = 'someone else' WHERE id = 3`, 'entry 3 is not what was written'],
  ['what it changed', `UPDATE journalRows SET after = '{}' WHERE entryId = 3`, 'what entry 3 says it changed'],
  ['an entry left out', `DELETE FROM journal WHERE id = 3`, 'entries before 4 are gone'],
  ['the first ones', `DELETE FROM journal WHERE id < 3`, 'entries before 3 are gone'],
  ['the last one', `DELETE FROM journal WHERE id = (SELECT max(id) FROM journal)`, 'on are gone'],
])('the doctor detects %s changed outside the panel', async (_, sql, text) => {
  panel.write(sql);
  const [finding] = await journalFinding();
  expect(finding?.ok).toBe(false);
  expect(finding?.text).toContain(text);
});
