import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { ADMIN_CHAT, openBotPanel } from '../../testing/bot-api/bot-panel.ts';
import { PermanentFailure, type StoredEvent } from '../events/channel.ts';

const bot = forEachTest(openBotPanel);
beforeEach(async () => {
  await bot.enable({ tgEnabledEvents: 'login.attempt,cpu.high' });
  await bot.comesTo('running');
});

const channel = () => bot.panel.parts.bot.channel;
const never = new AbortController().signal;
const event = (kind: StoredEvent['kind'], facts: StoredEvent['facts'] = {}, id = 1): StoredEvent => ({
  id,
  kind,
  atMs: bot.panel.clock(),
  facts,
});

test('only the chosen kinds are sent, and CPU load only above the configured threshold', async () => {
  expect(channel().wants(event('login.attempt'))).toBe(true);
  expect(channel().wants(event('core.crash'))).toBe(false);
  expect([81, 80].map((percent) => channel().wants(event('cpu.high', { percent })))).toEqual([true, false]);
  await bot.panel.set({ tgCpu: 0 });
  expect(channel().wants(event('cpu.high', { percent: 100 }))).toBe(false);
  await bot.panel.set({ tgBotEnable: false });
  expect(channel().wants(event('login.attempt'))).toBe(false);
});

test('an event reaches every admin chat verbatim, whatever its names contain', async () => {
  const username = '<b>&admin</i>';
  await channel().deliver(event('login.attempt', { ok: false, username, address: '192.0.2.7', reason: '' }), never);
  expect(bot.peer.taken).toHaveLength(1);
  expect(bot.peer.taken[0]).toMatchObject({ method: 'sendMessage', chatId: String(ADMIN_CHAT) });
  expect(bot.peer.taken[0]?.text).toContain(username);
  // A message may come hours later than what it tells of.
  await bot.panel.set({ timeLocation: 'Asia/Tehran', tgLang: 'fa-IR' });
  await bot.comesTo('running');
  const atMs = Date.UTC(2026, 2, 21, 8, 30);
  await channel().deliver({ ...event('core.crash', {}, 2), atMs }, never);
  expect(bot.peer.taken.at(-1)?.text.split('\n').at(-1)).toMatch(/^⏰ ۱ فروردین ۱۴۰۵،.* ۱۲:۰۰$/);
});

test('a notified chat is not notified again when another is retried, and a dead chat blocks no other', async () => {
  bot.peer.knows(12);
  await bot.panel.set({ tgBotChatId: `${ADMIN_CHAT},12,99` });
  const [down] = [event('node.down', { name: 'far' }, 7)];
  bot.peer.refuse('sendMessage', { status: 500, description: 'Internal Server Error' });
  await expect(channel().deliver(down, never)).rejects.toThrow('Internal Server Error');
  expect(bot.peer.taken.map(({ chatId }) => chatId)).toEqual(['12']);
  await channel().deliver(down, never);
  expect(bot.peer.taken.map(({ chatId }) => chatId)).toEqual(['12', String(ADMIN_CHAT)]);
  await bot.panel.set({ tgBotChatId: '99' });
  await expect(channel().deliver(event('node.down', {}, 8), never)).rejects.toBeInstanceOf(PermanentFailure);
});

test('a delivery given up while the API asks to wait is over: it is retried, and no chat gets the message twice', async () => {
  bot.peer.knows(12);
  await bot.panel.set({ tgBotChatId: `${ADMIN_CHAT},12` });
  await bot.comesTo('running');
  const [down] = [event('node.down', { name: 'far' }, 10)];
  bot.peer.refuse('sendMessage', { status: 429, description: 'Too Many Requests', retryAfterS: 50, chatId: 12 });
  const giving = new AbortController();
  const delivery = channel().deliver(down, giving.signal);
  delivery.catch(() => undefined);
  await expect.poll(() => bot.peer.counts.refused).toBe(1);
  giving.abort();
  await expect(delivery).rejects.toThrow();
  await channel().deliver(down, never);
  await bot.panel.advance(60_000);
  // A message of the delivery that was given up would come before this one.
  await channel().deliver(event('node.up', { name: 'far' }, 11), never);
  expect(bot.peer.taken.map(({ chatId }) => chatId)).toEqual([String(ADMIN_CHAT), '12', String(ADMIN_CHAT), '12']);
});

test('an abandoned delivery does not wait for a hanging API', async () => {
  bot.peer.hang(true);
  const giving = new AbortController();
  const delivery = channel().deliver(event('node.down', { name: 'far' }, 9), giving.signal);
  giving.abort();
  await expect(delivery).rejects.toThrow();
});
