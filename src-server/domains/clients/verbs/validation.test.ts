import { beforeAll, expect, test } from 'vitest';
import type { ValidationIssue } from '../../../contract/envelope.ts';
import { MAX_BYTES } from '../../../contract/fields/port.ts';
import { forAllTests } from '../../../testing/for-each-test.ts';
import { startClientPanel } from '../../../testing/panels/client-panel.ts';

const panel = forAllTests(startClientPanel);
beforeAll(async () => {
  await panel.add({ email: 'a', group: 'g' }, [await panel.inbound()]);
});

const long = (length: number): string => 'x'.repeat(length);
const many = (length: number, item: unknown): unknown[] => Array.from({ length }, () => item);

/** Invalid values of a client: field, value, the rule it breaks, and its bound. */
const fields: [string, unknown, string, string?][] = [
  ['email', 5, 'type', 'string'],
  ['email', long(256), 'max', '255'],
  ['subId', long(256), 'max', '255'],
  ['id', 'x', 'format', 'uuid'],
  ['uuid', 'e18c9a96-71bf-48d4-933f-8b9a46d4290', 'format', 'uuid'],
  ['password', long(256), 'max', '255'],
  ['auth', long(256), 'max', '255'],
  ['flow', 'vision', 'oneof', ' xtls-rprx-vision xtls-rprx-vision-udp443'],
  ['security', 'rot13', 'oneof', ' auto aes-128-gcm chacha20-poly1305 none zero'],
  ['reverse', 5, 'invalid'],
  ['reverse', { tag: 5 }, 'invalid'],
  ['reverse', long(1025), 'max', '1024'],
  ['totalGB', -1, 'gte', '0'],
  ['totalGB', 1.5, 'type', 'int'],
  ['totalGB', '5', 'type', 'number'],
  ['totalGB', 2 ** 53, 'lte', String(MAX_BYTES)],
  ['expiryTime', 8_640_000_000_000_001, 'lte', '8640000000000000'],
  ['expiryTime', -8_640_000_000_000_001, 'gte', '-8640000000000000'],
  ['expiryTime', 0.5, 'type', 'int'],
  ['limitIp', -1, 'gte', '0'],
  ['limitIp', 1_000_001, 'lte', '1000000'],
  ['tgId', -1, 'gte', '0'],
  ['tgId', true, 'invalid'],
  ['tgId', long(33), 'invalid'],
  ['comment', long(2_049), 'max', '2048'],
  ['enable', 'yes', 'type', 'boolean'],
  ['group', long(65), 'max', '64'],
  ['reset', -1, 'gte', '0'],
  ['reset', 36_501, 'lte', '36500'],
  ['resetDay', -1, 'gte', '0'],
  ['resetDay', 32, 'lte', '31'],
  ['createdAt', -1, 'gte', '0'],
  ['created_at', 'today', 'type', 'number'],
];

/** Invalid input of other calls: call, body, the refused fields. */
const calls: [string, unknown, string[]][] = [
  ['/add', {}, ['client']],
  ['/add', { client: null }, ['client']],
  ['/add', { client: { email: 'c' }, inboundIds: [0] }, ['inboundIds[0]']],
  ['/add', { client: { email: 'c' }, inboundIds: '1' }, ['inboundIds']],
  ['/add', { client: { email: 'c' }, inboundIds: many(1_001, 1) }, ['inboundIds']],
  ['/update/a?sessions=burn', { email: 'a' }, ['sessions']],
  ['/update/a?inboundIds=1;2', { email: 'a' }, ['inboundIds']],
  [`/update/${long(1_025)}`, { email: 'a', totalGB: -1 }, ['email', 'totalGB']],
  ['/del/a?sessions=burn', {}, ['sessions']],
  [`/del/${long(1_025)}`, {}, ['email']],
  [`/resetTraffic/${long(1_025)}`, {}, ['email']],
  ['/a/attach', { inboundIds: [1.5, -1] }, ['inboundIds[0]', 'inboundIds[1]']],
  ['/a/detach', { inboundIds: null }, ['inboundIds']],
  ['/a/detach?sessions=burn', { inboundIds: [1] }, ['sessions']],
  ['/a/externalLinks', { externalLinks: [{ kind: long(33) }] }, ['externalLinks[0].kind']],
  ['/a/externalLinks', { externalLinks: [{ value: long(8_193) }] }, ['externalLinks[0].value']],
  ['/a/externalLinks', { externalLinks: [{ remark: long(256) }, 5] }, ['externalLinks[0].remark', 'externalLinks[1]']],
  ['/a/externalLinks', { externalLinks: many(201, {}) }, ['externalLinks']],
  ['/updateTraffic/a', {}, ['upload', 'download']],
  ['/updateTraffic/a', { upload: -1, download: 2 ** 53 }, ['upload', 'download']],
  [
    '/bulkAdjust',
    { emails: 'a', addDays: 36_501, addBytes: 1.5, flow: long(65) },
    ['emails', 'addDays', 'addBytes', 'flow'],
  ],
  ['/bulkAdjust', { emails: [5, long(1_025)], addDays: -36_501 }, ['emails[0]', 'emails[1]', 'addDays']],
  ['/bulkEnable', { emails: null }, ['emails']],
  ['/bulkDisable?sessions=burn', { emails: ['a'] }, ['sessions']],
  ['/bulkDel', { emails: ['a'], keepTraffic: 'no' }, ['keepTraffic']],
  ['/bulkDel?sessions=burn', { emails: ['a'] }, ['sessions']],
  ['/bulkCreate', {}, ['']],
  ['/bulkAttach', { emails: {}, inboundIds: [-1] }, ['emails', 'inboundIds[0]']],
  ['/bulkDetach', { emails: ['a'], inboundIds: ['1'] }, ['inboundIds[0]']],
  ['/bulkResetTraffic', { emails: ['a', null] }, ['emails[1]']],
  ['/import', {}, ['data']],
  ['/import', { data: [] }, ['data']],
  ['/groups/create', { name: long(65) }, ['name']],
  ['/groups/rename', { oldName: long(65), newName: [] }, ['oldName', 'newName']],
  ['/groups/delete', { name: null }, ['name']],
  ['/groups/bulkAdd', { emails: 5, group: long(65) }, ['emails', 'group']],
  ['/groups/bulkAdd?remember=2', { emails: ['a'], group: 'h' }, ['remember']],
  ['/groups/bulkRemove', { emails: [5] }, ['emails[0]']],
  ['/groups/resetTraffic', { name: {} }, ['name']],
];

const state = async (): Promise<unknown> => [
  await panel.ok(panel.get('/list')),
  await panel.ok(panel.get('/groups')),
  panel.events.length,
  panel.runtime.staged.length,
];

/** The issues of a call that must be refused without any change. */
async function issuesOf(call: string, body: unknown): Promise<ValidationIssue[]> {
  const before = await state();
  const { success, obj } = await panel.post(call, body as object);
  expect(success).toBe(false);
  expect(await state()).toEqual(before);
  return (obj as { issues: ValidationIssue[] }).issues;
}

test.each(fields)('a client with a wrong %s, case %#', async (field, value, rule, param) => {
  const client = { email: 'c', [field]: value };
  const broken = param === undefined ? { rule } : { rule, param };
  const expected = [expect.objectContaining({ field: `client.${field}`, ...broken })];
  expect(await issuesOf('/add', { client, inboundIds: [1] })).toEqual(expected);
  expect(await issuesOf('/update/a', { ...client, email: field === 'email' ? value : 'a' })).toEqual([
    expect.objectContaining({ field, ...broken }),
  ]);
  const before = await state();
  const items = [{ client, inboundIds: [1] }];
  const skipped = [{ issues: [expect.objectContaining({ field, ...broken })] }];
  expect(await panel.ok(panel.post('/bulkCreate', items))).toMatchObject({ created: 0, skipped });
  // An import reads a wrong tgId as none.
  if (field !== 'tgId')
    expect(await panel.ok(panel.post('/import', { data: JSON.stringify(items) }))).toMatchObject({
      created: 0,
      skipped,
    });
  expect(await state()).toEqual(before);
});

test.each(calls)('each wrong field of a call, case %#', async (call, body, refused) => {
  const issues = await issuesOf(call, body);
  expect(issues.map(({ field }) => field)).toEqual(refused);
  // Each names the remedy.
  for (const { message } of issues) expect(message).toMatch(/must|required|takes at most|expected/);
});

test('an invalid query value counts as the default, so that an outdated saved view still shows clients', async () => {
  const query = 'page=x&pageSize=-5&sort=none&order=up&filter=gone&inbound=x&expiryFrom=soon&autoRenew=maybe&hasTgId=2';
  expect(await panel.ok(panel.get(`/list/paged?${query}`))).toMatchObject({ page: 1, pageSize: 25, filtered: 1 });
  expect((await panel.get(`/list/paged?search=${long(257)}`)).obj).toMatchObject({ issues: [{ field: 'search' }] });
});
