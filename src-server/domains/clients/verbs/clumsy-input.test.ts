import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { DAY_MS, startClientPanel } from '../../../testing/panels/client-panel.ts';
import type { ExportedClient } from '../bulk/contract.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound('trojan');
});

const post = <T = unknown>(call: string, body: unknown) => panel.ok<T>(panel.post(call, body as object));
const emails = async () =>
  (await panel.ok<{ email: string }[]>(panel.get('/list'))).map(({ email }) => email).toSorted();

test('any accepted text is stored exactly as sent, by every call', async () => {
  // A NUL is refused at once, and in nested texts by field.
  const text = (maxLength: number) =>
    fc
      .oneof(fc.string({ unit: 'binary', maxLength }), fc.string({ maxLength }))
      .map((value) => value.replaceAll('\0', ''));
  const group = text(20).map((value) => value.replaceAll(/\p{Cc}/gu, ''));
  const client = fc.record({ comment: text(40), password: text(20), auth: text(20), group });
  // On separate inbounds: two clients of one inbound may not have the same password.
  const own = { add: inboundId, bulk: await panel.inbound('trojan'), import: await panel.inbound('trojan') };
  let round = 0;
  await fc.assert(
    fc.asyncProperty(client, client, async (first, second) => {
      round += 1;
      const named = (how: string, values: object) => ({
        email: `${how}-${round}`,
        subId: `${how}-${round}-s`,
        ...values,
      });
      const items = (how: keyof typeof own) => [{ client: named(how, first), inboundIds: [own[how]] }];
      await post('/add', items('add')[0]);
      await post('/bulkCreate', items('bulk'));
      await post('/import', { data: JSON.stringify(items('import')) });
      await post(`/update/add-${round}`, named('add', second));
      for (const [how, sent] of [
        ['add', { ...second, password: second.password || first.password, auth: second.auth || first.auth }],
        ['bulk', first],
        ['import', first],
      ] as const) {
        const shown = (await panel.ok<{ client: typeof sent }>(panel.get(`/get/${how}-${round}`))).client;
        expect(shown).toMatchObject({
          comment: sent.comment.toWellFormed(),
          group: sent.group.trim().toWellFormed(),
          auth: sent.auth.toWellFormed(),
        });
        // A missing one is generated.
        if (sent.password !== '') expect(shown.password).toBe(sent.password.toWellFormed());
      }
      await post('/bulkDel', { emails: ['add', 'bulk', 'import'].map((how) => `${how}-${round}`) });
    }),
    { numRuns: 25 },
  );
});

test('an import reports which field contains a NUL and accepts the others', async () => {
  const fields = ['comment', 'password', 'auth', 'group', 'email', 'subId'];
  const items = fields.map((field) => ({ client: { email: field, [field]: 'a\0b' }, inboundIds: [inboundId] }));
  const data = JSON.stringify([...items, { client: { email: 'fine' }, inboundIds: [inboundId] }]);
  const { created, skipped } = await post<{ created: number; skipped: { reason: string }[] }>('/import', { data });
  expect(created).toBe(1);
  expect(skipped.map(({ reason }) => reason)).toEqual([
    'comment: must not contain a NUL character',
    'password: must not contain a NUL character',
    'auth: must not contain a NUL character',
    'group: must not contain line breaks or other control characters',
    'client email contains an invalid character: a\0b',
    'client subId contains an invalid character: a\0b',
  ]);
});

test('e-mails may have spaces, any case and duplicates; each counts once, in request order', async () => {
  const add = (email: string) => panel.add({ email, totalGB: 5, expiryTime: panel.time.nowMs + DAY_MS }, [inboundId]);
  await add('  Zoë  ');
  await add('bob');
  const given = [' bob', 'ZOË', 'Bob ', '', '   ', 'zoë', '\tnobody\n', 'NOBODY'];
  const skipped = [{ email: 'nobody', reason: 'client not found' }];
  expect(await post('/bulkAdjust', { emails: given, addDays: 1 })).toMatchObject({ adjusted: 2, skipped });
  expect(await panel.stored('bob')).toMatchObject({ expiresAtMs: panel.time.nowMs + 2 * DAY_MS });
  expect(await post('/bulkDisable', { emails: given })).toMatchObject({ changed: 2, skipped });
  expect(await post('/bulkEnable', { emails: given })).toMatchObject({ changed: 2, skipped });
  expect(await post('/bulkResetTraffic', { emails: given })).toMatchObject({ affected: 2 });
  expect(await post('/groups/bulkAdd', { emails: given, group: ' g ' })).toEqual({ affected: 2 });
  expect(await panel.ok(panel.get('/groups/g/emails'))).toEqual(['Zoë', 'bob']);
  expect(await post('/groups/bulkRemove', { emails: given })).toEqual({ affected: 2 });
  const second = await panel.inbound();
  const inboundIds = [second, second];
  expect(await post('/bulkAttach', { emails: given, inboundIds })).toMatchObject({
    attached: ['bob', 'ZOË'],
    skipped: [],
    errors: ['nobody: client not found'],
  });
  expect(await post('/bulkDetach', { emails: given, inboundIds })).toMatchObject({
    detached: ['bob', 'ZOË'],
    skipped: [],
    errors: ['nobody: client not found'],
  });
  expect(await post('/bulkDel', { emails: given })).toMatchObject({ deleted: 2, skipped });
  expect(await emails()).toEqual([]);
});

test('calls about unknown clients do nothing, notify nobody and are no failure', async () => {
  await panel.add({ email: 'a' }, [inboundId]);
  const published = panel.events.length;
  const applied = panel.runtime.applied.length;
  for (const body of [{}, { emails: [] }, { emails: [' ', ''] }]) {
    expect(await post('/bulkAdjust', { ...body, addDays: 1 })).toEqual({ adjusted: 0, skipped: [] });
    expect(await post('/bulkEnable', body)).toEqual({ changed: 0, skipped: [] });
    expect(await post('/bulkDisable', body)).toEqual({ changed: 0, skipped: [] });
    expect(await post('/bulkDel', body)).toEqual({ deleted: 0, skipped: [] });
    expect(await post('/bulkResetTraffic', body)).toEqual({ affected: 0 });
    for (const call of ['/bulkAttach', '/bulkDetach']) {
      const result = await post<Record<string, unknown>>(call, { ...body, inboundIds: [inboundId] });
      expect(Object.values(result)).toEqual([[], [], []]);
    }
  }
  expect(await post('/bulkCreate', [])).toEqual({ created: 0, skipped: [] });
  expect(await post('/import', { data: '[]' })).toEqual({ created: 0, skipped: [] });
  expect(panel.events).toHaveLength(published);
  expect(panel.runtime.applied).toHaveLength(applied);
});

test.each(['http', 'mixed', 'tunnel', 'tun', 'wireguard', 'unheard-of'])(
  'no verb attaches a client to an inbound of protocol %s',
  async (protocol) => {
    const without = await panel.inbound(protocol);
    const reason = `protocol ${protocol} does not support clients`;
    await panel.add({ email: 'a', subId: 's' }, [inboundId]);
    const ids = [inboundId, without];
    const items = [{ client: { email: 'b' }, inboundIds: ids }];
    expect(await panel.refusal(panel.post('/add', items[0]))).toBe(reason);
    expect(await panel.refusal(panel.post('/add', { client: { email: 'a', subId: 's' }, inboundIds: ids }))).toBe(
      reason,
    );
    expect(await panel.refusal(panel.post('/a/attach', { inboundIds: [without] }))).toBe(reason);
    const skipped = [{ email: 'b', reason, code: 'client.protocolWithoutClients' }];
    expect(await post('/bulkCreate', items)).toMatchObject({ created: 0, skipped });
    expect(await post('/import', { data: JSON.stringify(items) })).toMatchObject({ created: 0, skipped });
    expect(await post('/bulkAttach', { emails: ['a'], inboundIds: [without] })).toMatchObject({
      attached: [],
      errors: [`inbound ${without}: ${reason}`],
    });
    expect(await post('/bulkDetach', { emails: ['a'], inboundIds: [without] })).toMatchObject({ skipped: ['a'] });
    expect(await emails()).toEqual(['a']);
    expect((await panel.stored('a'))!.links).toMatchObject([{ inboundId }]);
  },
);

test.each(['aes-256-gcm', 'chacha20-ietf-poly1305', 'none'])(
  'a shadowsocks client with %s accepts any password, and its entry has the method',
  async (method) => {
    const old = await panel.inbound('shadowsocks', { method });
    await panel.add({ email: 'given', password: 'any' }, [old]);
    await panel.add({ email: 'made' }, [old]);
    expect((await panel.stored('given'))?.password).toBe('any');
    expect((await panel.stored('made'))?.password).toMatch(/^[0-9a-f]{32}$/);
    const entries = (await panel.service.inboundClients.composeEntries([old])).get(old)!;
    expect(entries).toMatchObject([
      { email: 'given', method },
      { email: 'made', method },
    ]);
  },
);

test('5,000 names with every allowed character are created, found, exported and deleted', async () => {
  const alphabets = [
    'é',
    'ж',
    '漢',
    'ا',
    '😀',
    '%',
    '_',
    "'",
    '"',
    '#',
    '?',
    '&',
    '+',
    '=',
    '.',
    '..',
    '@',
    ':',
    '<',
    '~',
  ];
  const names = Array.from({ length: 5_000 }, (_, at) => `${alphabets[at % alphabets.length]!}${at}`);
  const items = names.map((email) => ({ client: { email }, inboundIds: [inboundId] }));
  expect(await post('/bulkCreate', items)).toMatchObject({ created: 5_000, skipped: [] });
  for (const email of names.slice(0, alphabets.length)) {
    const path = encodeURIComponent(email);
    expect(await panel.ok(panel.get(`/get/${path}`))).toMatchObject({ client: { email } });
    const { items: found } = await panel.ok<{ items: { email: string }[] }>(
      panel.get(`/list/paged?search=${path}&pageSize=200`),
    );
    expect(found.map((row) => row.email)).toContain(email);
  }
  const exported = await panel.ok<ExportedClient[]>(panel.get('/export'));
  expect(exported.map(({ client }) => client.email)).toEqual(names);
  expect(await post('/bulkDel', { emails: [...names, ...names] })).toMatchObject({ deleted: 5_000, skipped: [] });
  expect(await post('/import', { data: JSON.stringify(exported) })).toMatchObject({ created: 5_000, skipped: [] });
});
