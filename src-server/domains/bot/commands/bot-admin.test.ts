import { beforeAll, describe, expect, test } from 'vitest';
import { forAllTests } from '../../../testing/for-each-test.ts';
import { storeInbound } from '../../../testing/stored-inbound.ts';
import { ADMIN_CHAT, openBotPanel } from '../../../testing/bot-api/bot-panel.ts';

/** Markup, and characters for which the API would refuse a message. */
const HOSTILE = `<b>&<script>"'</a>&lt;`;

let inbound: number;
let ids: Record<string, number>;

async function readIds(): Promise<void> {
  const clients = await bot.panel.read<{ recordId: number; email: string }[]>('/clients/list');
  ids = Object.fromEntries(clients.map(({ email, recordId }) => [email, recordId]));
}
const clientOf = async (email: string) =>
  (await bot.panel.read<{ client: Record<string, unknown> }>(`/clients/get/${encodeURIComponent(email)}`)).client;
const press = (data: string) => bot.pressed(ADMIN_CHAT, data);
const write = (text: string, count = 1) => bot.replies(() => bot.peer.writes(ADMIN_CHAT, text), count);

const bot = forAllTests(openBotPanel);
beforeAll(async () => {
  inbound = await bot.panel.inbound(24_441, { remark: HOSTILE });
  await bot.panel.add({ email: 'anna', totalGB: 10_737_418_240, flow: '', comment: HOSTILE, group: 'vip' }, [inbound]);
  await bot.panel.add({ email: '<b"bert&lt;', limitIp: 2 }, [inbound]);
  for (let index = 0; index < 12; index += 1) await bot.panel.add({ email: `many-${index}` }, [inbound]);
  await readIds();
  await bot.enable();
  await bot.comesTo('running');
});

test('a name with markup arrives verbatim, wherever it appears', async () => {
  const [hello] = await bot.replies(() => bot.peer.writes(ADMIN_CHAT, '/start', { firstName: HOSTILE }), 2);
  expect(hello?.text).toContain(HOSTILE);
  const card = await press(`card:${ids['<b"bert&lt;']}`);
  expect(card.sent[0]?.text).toContain('<b"bert&lt;');
  expect((await press(`card:${ids['anna']}`)).sent[0]?.text).toContain(HOSTILE);
  expect((await press(`inbound:${inbound}`)).sent[0]?.text).toContain(HOSTILE);
  const [found] = await write(`/inbound ${HOSTILE.slice(0, 4)}`);
  expect(found?.text).toContain(HOSTILE);
  expect(found?.buttons).toEqual([`of:${inbound}:1`]);
  expect((await write('/usage no<such>'))[0]?.text).toContain('“no<such>”');
  expect((await write(`/usage ${'z'.repeat(4_000)}`))[0]?.text).toContain(`“${'z'.repeat(200)}”`);
  const links = (await press(`links:${ids['<b"bert&lt;']}`)).sent;
  expect(links.map(({ text }) => text).join('\n')).toContain('<b"bert&lt;');
});

test('long texts are cut between characters, where the API would refuse half of one', async () => {
  await bot.panel.add({ email: 'wordy', comment: `${'c'.repeat(499)}🌷${'d'.repeat(100)}` }, [inbound]);
  await readIds();
  expect((await press(`card:${ids['wordy']}`)).sent[0]?.text).toContain(`💬 ${'c'.repeat(499)}`);
  await bot.panel.done('/clients/del/wordy');
});

test('the menu leads to every list, in every language', async () => {
  for (const tgLang of ['fa-IR', 'ru-RU', 'zh-CN', 'en-US']) {
    await bot.panel.set({ tgLang });
    await bot.comesTo('running');
    const [menu] = await write('hello');
    expect(menu?.buttons.length).toBeGreaterThanOrEqual(10);
    // A backup is sent later, in a separate message.
    const buttons = menu!.buttons.filter((data) => data !== 'backup');
    for (const data of [...buttons, 'list:all:1', 'list:online:1', `of:${inbound}:1`]) {
      const { sent, notice } = await press(data);
      expect([data, notice, sent[0]?.text === '' || sent[0] === undefined]).toEqual([data, '', false]);
    }
  }
});

test('clients by state come in pages, and so do search results', async () => {
  const first = (await press('list:active:1')).sent[0]!;
  expect(first.buttons.filter((data) => data.startsWith('card:'))).toHaveLength(10);
  expect(first.buttons).toContain('list:active:2');
  const second = (await press('list:active:2')).sent[0]!;
  expect(second.buttons.filter((data) => data.startsWith('card:'))).toHaveLength(4);
  await press('search');
  const [found] = await write('many-');
  expect(found?.text).toBe('🔎 “many-”: 12');
  expect((await press('found:2')).sent[0]?.buttons.filter((data) => data.startsWith('card:'))).toHaveLength(2);
  await press('menu');
  expect((await press('found:2')).notice).toBe('This question is over. Please begin again.');
});

test('the list of disabled clients has those that the report counts as disabled, and no expired one', async () => {
  await bot.panel.add({ email: 'off', enable: false }, [inbound]);
  await bot.panel.add({ email: 'late', enable: false, expiryTime: bot.panel.clock() - 1_000 }, [inbound]);
  await readIds();
  // A message sent by an older version has the second button.
  for (const data of ['list:disabled:1', 'list:deactive:1']) {
    await press('menu');
    const [list] = (await press(data)).sent;
    expect(list?.buttons.filter((button) => button.startsWith('card:'))).toEqual([`card:${ids['off']}`]);
  }
  for (const email of ['off', 'late']) await bot.panel.done(`/clients/del/${email}`);
});

describe('one client', () => {
  test('is disabled and enabled after a confirmation', async () => {
    const question = (await press(`off:${ids['anna']}`)).sent[0];
    expect(question?.text).toBe('🔴 Disable anna?');
    expect(await clientOf('anna')).toMatchObject({ enable: true });
    await press(`off!:${ids['anna']}`);
    expect(await clientOf('anna')).toMatchObject({ enable: false });
    await press(`on:${ids['anna']}`);
    expect(await clientOf('anna')).toMatchObject({ enable: true });
  });

  test('gets a new quota and expiry, chosen or typed, and keeps everything else', async () => {
    const before = await clientOf('anna');
    await press(`quota!:${ids['anna']}:50`);
    await press(`expiry!:${ids['anna']}:30`);
    const after = await clientOf('anna');
    expect(after).toEqual({
      ...before,
      totalGB: 50 * 1_073_741_824,
      expiryTime: -30 * 86_400_000,
      updatedAt: after['updatedAt'],
    });
    await press(`quota:${ids['anna']}`);
    expect((await write('many'))[0]?.text).toBe('❗ Please write a number, as in 25.');
    expect((await write('2,5'))[0]?.text).toContain('2.50GB');
    await press(`expiry:${ids['anna']}`);
    await write('-10');
    expect(await clientOf('anna')).toMatchObject({ totalGB: 2.5 * 1_073_741_824, expiryTime: -20 * 86_400_000 });
    await press(`expiry!:${ids['anna']}:0`);
    expect(await clientOf('anna')).toMatchObject({ expiryTime: 0 });
  });

  test('keeps an expiry and a quota that would be moved below nothing, and says so', async () => {
    const expiryTime = bot.panel.clock() + 30 * 86_400_000;
    await bot.panel.done('/clients/update/anna', { ...(await clientOf('anna')), expiryTime });
    const before = await clientOf('anna');
    for (const data of [`expiry!:${ids['anna']}:-99999`, `expiry!:${ids['anna']}:-31`, `quota!:${ids['anna']}:-5`])
      expect((await press(data)).notice).toBe('❗ Please write a number, as in 25.');
    await press(`expiry:${ids['anna']}`);
    expect((await write('-99999'))[0]?.text).toBe('❗ Please write a number, as in 25.');
    expect(await clientOf('anna')).toEqual(before);
    await press(`expiry!:${ids['anna']}:0`);
  });

  test('keeps the flow of each inbound with a new end', async () => {
    const { panel } = bot;
    const stream = { network: 'tcp', security: 'reality' };
    const row = { stream, nowMs: panel.clock() };
    const both = [await storeInbound(panel.store, { ...row, port: 1_443 })];
    both.push(await storeInbound(panel.store, { ...row, port: 2_443 }));
    await panel.add({ email: 'mixed', flow: 'xtls-rprx-vision' }, both);
    await panel.done(`/clients/update/mixed?inboundIds=${both[1]}`, { ...(await clientOf('mixed')), flow: '' });
    await readIds();
    await press(`expiry!:${ids['mixed']}:30`);
    expect(await clientOf('mixed')).toMatchObject({ expiryTime: -30 * 86_400_000 });
    const links = panel.store.reader.selectFrom('clientInbounds').where('inboundId', 'in', both).orderBy('inboundId');
    expect((await links.select('flowOverride').execute()).map(({ flowOverride }) => flowOverride)).toEqual([
      'xtls-rprx-vision',
      '',
    ]);
    for (const id of both) await panel.done(`/inbounds/del/${id}`);
    await panel.done('/clients/del/mixed');
  });

  test('gets days on top of a coming end; after its end it gets them from the first use, and works again', async () => {
    const day = 86_400_000;
    const endsAt = async (expiryTime: number) =>
      bot.panel.done('/clients/update/anna', { ...(await clientOf('anna')), expiryTime });
    const coming = bot.panel.clock() + 2 * day;
    await endsAt(coming);
    await press(`expiry!:${ids['anna']}:30`);
    expect(await clientOf('anna')).toMatchObject({ enable: true, expiryTime: coming + 30 * day });
    await endsAt(bot.panel.clock() - day);
    await bot.panel.tick();
    expect(await clientOf('anna')).toMatchObject({ enable: false });
    await press(`expiry!:${ids['anna']}:7`);
    expect(await clientOf('anna')).toMatchObject({ enable: true, expiryTime: -7 * day });
    await press(`expiry!:${ids['anna']}:0`);
  });

  test('has its traffic reset, and the core applies the change', async () => {
    await bot.panel.done('/clients/updateTraffic/anna', { upload: 5, download: 6 });
    await press(`reset!:${ids['anna']}`);
    expect(await bot.panel.read('/clients/traffic/anna')).toMatchObject({ up: 0, down: 0 });
    await bot.panel.done('/clients/updateTraffic/anna', { upload: 5, download: 6 });
    await press('resetall!');
    expect(await bot.panel.read('/clients/traffic/anna')).toMatchObject({ up: 0, down: 0 });
  });

  test('gets an IP limit, and its seen addresses can be cleared', async () => {
    const { sent } = await press(`ips:${ids['anna']}`);
    expect(sent[0]?.text).toContain('at most unlimited');
    expect(sent[0]?.buttons).toContain(`ips!:${ids['anna']}:3`);
    await press(`ips!:${ids['anna']}:3`);
    expect(await clientOf('anna')).toMatchObject({ limitIp: 3 });
    await press(`ips!:${ids['anna']}:-1`);
    expect(await clientOf('anna')).toMatchObject({ limitIp: 0 });
    expect((await press(`forget:${ids['anna']}`)).sent[0]?.text).toBe('🧹 Forget the addresses of anna?');
    expect((await press(`forget!:${ids['anna']}`)).notice).toBe('✅ Done.');
  });

  test('is tied by a link, and untied', async () => {
    const link = (await press(`tie:${ids['anna']}`)).sent[0]?.text.split('\n').at(-1) ?? '';
    expect(link).toContain('https://t.me/panel_test_bot?start=');
    await bot.replies(() => bot.peer.writes(55, `/start ${new URL(link).searchParams.get('start')}`), 2);
    expect(await clientOf('anna')).toMatchObject({ tgId: 55 });
    await press(`untie!:${ids['anna']}`);
    expect(await clientOf('anna')).toMatchObject({ tgId: 0 });
  });
});

describe('a new client', () => {
  test('is created in steps, and works at once', async () => {
    await press('add');
    expect((await write('new one'))[0]?.text).toContain('Name of the new client');
    await write('fresh@example.org');
    expect((await press('addnext')).notice).toBe('Choose at least one inbound.');
    await press(`addin:${inbound}`);
    await press('addnext');
    await write('7');
    const confirm = (await press('adddays:30')).sent[0];
    expect(confirm?.text).toContain('7.00GB');
    const { sent } = await press('addgo');
    expect(sent[0]?.text).toBe('✅ fresh@example.org is created.');
    expect(sent.map(({ text }) => text).join('\n')).toContain('vless://');
    expect(await clientOf('fresh@example.org')).toMatchObject({
      enable: true,
      totalGB: 7 * 1_073_741_824,
      expiryTime: -30 * 86_400_000,
    });
  });

  test('is offered only inbounds that have clients', async () => {
    const { id: other } = await bot.panel.done<{ id: number }>('/inbounds/add', {
      port: 24_442,
      protocol: 'mixed',
      settings: { auth: 'noauth' },
    });
    await press('add');
    const [question] = await write('choosing');
    expect(question?.buttons).toContain(`addin:${inbound}`);
    expect(question?.buttons).not.toContain(`addin:${other}`);
    await bot.panel.done(`/inbounds/del/${other}`);
  });

  test('is offered more inbounds than a message has room for', async () => {
    const { store, clock } = bot.panel;
    const many: number[] = [];
    for (let index = 0; index < 101; index += 1) {
      const tag = `${index}-${'x'.repeat(50)}`;
      many.push(await storeInbound(store, { tag, port: 25_000 + index, nowMs: clock() }));
    }
    await press('add');
    const [question] = await write('choosing');
    expect(question?.buttons).toEqual(
      [inbound, ...many.slice(0, 9)].map((id) => `addin:${id}`).concat('addpage:2', 'menu'),
    );
    const last = many.slice(99).map((id) => `addin:${id}`);
    expect((await press('addpage:11')).sent[0]?.buttons).toEqual([...last, 'addpage:10', 'menu']);
    expect((await press(`addin:${many[100]}`)).sent[0]?.buttons).toEqual([...last, 'addpage:10', 'addnext', 'menu']);

    const { id } = await bot.panel.done<{ id: number }>('/plans/add', { name: 'All', inboundIds: many });
    await press('add');
    await write('everywhere');
    expect((await press(`addplan:${id}`)).sent[0]?.buttons).toEqual(['addgo', 'menu']);
    await bot.panel.done(`/plans/del/${id}`);
    await store.write((trx) => trx.deleteFrom('inbounds').where('id', 'in', many).execute());
  });

  test('is offered every plan, page by page, and the inbounds from their first page', async () => {
    const plans: number[] = [];
    for (let index = 0; index < 61; index += 1)
      plans.push((await bot.panel.done<{ id: number }>('/plans/add', { name: `Plan ${100 + index}` })).id);
    const asPlans = (from: number, to: number): string[] => plans.slice(from, to).map((id) => `addplan:${id}`);
    await press('add');
    const [question] = await write('planned');
    expect(question?.buttons).toEqual([...asPlans(0, 10), 'addplan:0', 'addpage:2', 'menu']);
    expect((await press('addpage:7')).sent[0]?.buttons).toEqual([...asPlans(60, 61), 'addplan:0', 'addpage:6', 'menu']);
    expect((await press(`addplan:${plans[60]}`)).sent[0]?.buttons).toEqual([`addin:${inbound}`, 'menu']);
    for (const id of plans) await bot.panel.done(`/plans/del/${id}`);
  });

  test('that is refused shows the reason, and the draft stays', async () => {
    await press('add');
    await write('anna');
    await press(`addin:${inbound}`);
    await press('addnext');
    await press('addquota:0');
    await press('adddays:0');
    const [refused] = await bot.replies(() => bot.peer.presses(ADMIN_CHAT, 'addgo'));
    expect(refused?.text).toMatch(/^❌ .*anna/);
  });

  test('takes a plan, with no further questions', async () => {
    const plan = {
      name: 'Gold',
      quotaBytes: 9 * 1_073_741_824,
      days: 30,
      startsAtFirstUse: true,
      inboundIds: [inbound],
    };
    const { id } = await bot.panel.done<{ id: number }>('/plans/add', plan);
    await press('add');
    expect((await write('planned'))[0]?.text).toBe('🏷 Plan of planned:');
    const confirm = (await press(`addplan:${id}`)).sent[0];
    expect(confirm?.text).toContain('🏷 Gold\n📦 9.00GB');
    expect((await press('addgo')).sent[0]?.text).toBe('✅ planned is created.');
    expect(await clientOf('planned')).toMatchObject({
      planId: id,
      totalGB: plan.quotaBytes,
      expiryTime: -30 * 86_400_000,
    });
    await press('add');
    await write('unplanned');
    expect((await press('addplan:0')).sent[0]?.text).toContain('Inbounds of unplanned');
    await bot.panel.done(`/plans/del/${id}`);
  });

  test('of a plan that only renews on a day of the month ends on that day, as it is told before', async () => {
    const monthly = { name: 'Monthly', resetDay: 17, inboundIds: [inbound] };
    const { id } = await bot.panel.done<{ id: number }>('/plans/add', monthly);
    await press('add');
    await write('monthly');
    expect((await press(`addplan:${id}`)).sent[0]?.text).toMatch(/📅 .*\b17\b/);
    await press('addgo');
    expect(new Date(Number((await clientOf('monthly'))['expiryTime'])).getUTCDate()).toBe(17);
    await bot.panel.done(`/plans/del/${id}`);
  });

  test('two admins have separate drafts', async () => {
    await bot.panel.set({ tgBotChatId: `${ADMIN_CHAT},12` });
    await press('add');
    await bot.pressed(12, 'add');
    await write('mine');
    await bot.replies(() => bot.peer.writes(12, 'theirs'));
    expect((await press(`addin:${inbound}`)).sent[0]?.text).toContain('mine');
    expect((await bot.pressed(12, `addin:${inbound}`)).sent[0]?.text).toContain('theirs');
  });
});

describe('several clients', () => {
  const buttonsOf = async (data: string) => (await press(data)).sent[0]?.buttons ?? [];
  const stateOf = async (email: string) => (await clientOf(email))['enable'];

  test('are ticked across pages and changed together; failures are listed in the language of the chat', async () => {
    await write('/usage many-1');
    await press('menu');
    await bot.replies(() => void press('search'));
    await write('many-');
    expect(await buttonsOf('many:found')).toContain(`tick:${ids['many-0']}`);
    await press(`tick:${ids['many-0']}`);
    await press('manypage:2');
    const [last] = (await press(`tick:${ids['many-9']}`)).sent;
    expect(last?.text).toBe('☑️ Chosen: 2 of 12');
    expect(last?.buttons).toContain('manywhat');
    await press('manywhat');
    expect((await press('manyask:off')).sent[0]?.text).toBe('🔴 Disable 2 clients?');
    expect(await stateOf('many-0')).toBe(true);
    expect((await press('manydo:off')).sent[0]?.text).toBe('✅ Done: 2');
    expect([await stateOf('many-0'), await stateOf('many-9'), await stateOf('many-1')]).toEqual([false, false, true]);
    await press('manydo:on');
    expect(await stateOf('many-9')).toBe(true);
    const { sent } = await press('manydo:gb:10');
    expect(sent[0]?.text).toBe('✅ Done: 0\nLeft as they are:\nmany-0: unlimited traffic\nmany-9: unlimited traffic');
  });

  test('a whole page is ticked and unticked at once', async () => {
    await press(`many:of:${inbound}`);
    expect((await press('tickall')).sent[0]?.text).toMatch(/^☑️ Chosen: 10 of /);
    expect((await press('tickall')).sent[0]?.text).toMatch(/^☑️ Chosen: 0 of /);
    await press('menu');
    expect((await press('manydo:off')).notice).toBe('This question is over. Please begin again.');
  });

  test('cannot be changed by anyone who is not an admin', async () => {
    bot.peer.knows(99);
    for (const data of ['many:list:all', 'tickall', 'manydo:off', 'bans'])
      expect((await bot.pressed(99, data)).notice).toBe('This is not yours, or it is gone.');
  });
});

test('blocked clients are listed', async () => {
  expect((await press('bans')).sent[0]?.text).toContain('Nobody lately.');
  bot.panel.parts.notifying.events.take('client.addresses', { email: HOSTILE, limit: 2, address: '192.0.2.7' });
  await bot.panel.advance(1_000);
  const { text } = (await press('bans')).sent[0]!;
  expect(text).toContain(HOSTILE);
  expect(text).toContain('Shut out: 192.0.2.7');
});

test('of many blocked clients the newest are listed, as many as a message holds', async () => {
  for (let index = 0; index < 30; index += 1) {
    bot.panel.parts.notifying.events.take('client.addresses', {
      email: `${index}-${'x'.repeat(150)}`,
      limit: 2,
      address: '192.0.2.7',
    });
    await bot.panel.advance(10_000);
  }
  const [list, ...more] = (await press('bans')).sent;
  expect(list).toMatchObject({ method: 'editMessageText', buttons: ['bans', 'menu'] });
  expect(list?.text).toContain('29-xxx');
  expect(list?.text.split('\n').length).toBeGreaterThan(10);
  expect(more).toEqual([]);
});

test('a refusal is sent in the language of the chat', async () => {
  await bot.panel.set({ tgLang: 'ru-RU' });
  await bot.comesTo('running');
  await press('add');
  await write('anna');
  for (const data of [`addin:${inbound}`, 'addnext', 'addquota:0', 'adddays:0']) await press(data);
  const [refused] = await bot.replies(() => bot.peer.presses(ADMIN_CHAT, 'addgo'));
  expect(refused?.text).toBe('❌ Этот e-mail уже занят: anna');
  await bot.panel.set({ tgLang: 'en-US' });
  await bot.comesTo('running');
});

test('an admin who loses the role is treated as a stranger at once', async () => {
  await bot.panel.set({ tgBotChatId: '12' });
  expect((await press('status')).notice).toBe('This is not yours, or it is gone.');
  await bot.panel.set({ tgBotChatId: String(ADMIN_CHAT) });
  expect((await press('status')).sent).toHaveLength(1);
});
