import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BOT_TOKEN } from '../../../testing/bot-api/bot-api-peer.ts';
import { ADMIN_CHAT, openBotPanel, type BotPanel } from '../../../testing/bot-api/bot-panel.ts';
import { listening, originOf } from '../../../testing/peers/local-server.ts';

let bot: BotPanel;
beforeEach(async () => void (bot = await openBotPanel()));
afterEach(() => bot.close());

/** Advances time until a condition holds. */
async function inTime(isSo: () => boolean | Promise<boolean>, stepMs = 1_000): Promise<void> {
  await expect
    .poll(async () => {
      await bot.panel.advance(stepMs);
      return isSo();
    })
    .toBe(true);
}

test('a bot that is enabled reports its name, answers, and stops when disabled', async () => {
  expect(await bot.state()).toMatchObject({ state: 'off', problem: null });
  await bot.enable();
  expect(await bot.comesTo('running')).toMatchObject({ mode: 'polling', username: 'panel_test_bot', problem: null });
  const [reply] = await bot.replies(() => bot.peer.writes(42, '/id'));
  expect(reply).toMatchObject({ chatId: '42', text: '🆔 Your ID: 42' });
  await bot.panel.set({ tgBotEnable: false });
  await bot.comesTo('off');
});

test('without a token, or with a private address that is not allowed, it reports the reason', async () => {
  await bot.enable({ tgBotToken: '' });
  expect(await bot.state()).toMatchObject({ state: 'waiting', problem: { code: 'bot.noToken' } });
  await bot.panel.set({ tgBotToken: BOT_TOKEN, tgBotAllowPrivate: false });
  const { problem } = await bot.comesTo('waiting');
  await expect.poll(async () => (await bot.state()).problem?.code).toBe('bot.unreachable');
  expect(problem?.text).not.toContain(BOT_TOKEN);
  expect(bot.peer.counts.requests).toBe(0);
});

describe('a misbehaving API', () => {
  test('hangs: saving settings, starting and stopping the panel do not wait for it', async () => {
    bot.peer.hang(true);
    await bot.enable();
    await expect.poll(() => bot.peer.counts.requests).toBe(1);
    await bot.panel.set({ tgLang: 'fa-IR' });
    await expect.poll(() => bot.peer.counts.requests).toBe(2);
    expect(await bot.state()).toMatchObject({ state: 'starting' });
    // The end of the test closes the panel: a waiting panel would only close after the call's timeout.
  });

  test('refuses the token: reported, retried with growing delays, and running once the token is right', async () => {
    bot.peer.refuse('getMe', { status: 401, description: 'Unauthorized' });
    await bot.enable();
    const waiting = await bot.comesTo('waiting');
    expect(waiting.problem).toMatchObject({ code: 'bot.tokenRefused', params: { reason: 'Unauthorized' } });
    expect(waiting.retryAtMs - bot.panel.clock()).toBe(30_000);
    await inTime(async () => (await bot.state()).state === 'running', 10_000);
  });

  test('is unreachable: retried at growing intervals', async () => {
    await bot.enable({ tgBotAPIServer: 'http://127.0.0.1:9' });
    const delays: number[] = [];
    for (const wanted of [1_000, 2_000, 4_000]) {
      await expect
        .poll(async () => {
          const { retryAtMs } = await bot.state();
          return retryAtMs - bot.panel.clock();
        })
        .toBe(wanted);
      delays.push(wanted);
      await bot.panel.advance(wanted);
    }
    expect((await bot.state()).problem?.code).toBe('bot.unreachable');
  });

  test('answers with an unrelated page: reported', async () => {
    await bot.enable({ tgBotAPIServer: new URL(bot.panel.app.panel.url).origin });
    const { problem } = await bot.comesTo('waiting');
    expect(problem).toMatchObject({ code: 'bot.unreachable' });
    expect(problem?.text).toContain('not of the bot API');
  });

  test('serves another program with the same token: reported, and retried after ten seconds', async () => {
    await bot.enable();
    await bot.comesTo('running');
    const other = new AbortController();
    const polling = fetch(`${bot.peer.origin}/bot${BOT_TOKEN}/getUpdates`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ timeout: 20 }),
      signal: other.signal,
    }).catch(() => undefined);
    const { problem, retryAtMs } = await bot.comesTo('waiting');
    expect(problem).toMatchObject({ code: 'bot.conflict' });
    expect(retryAtMs - bot.panel.clock()).toBe(10_000);
    other.abort();
    await polling;
    await inTime(async () => (await bot.state()).state === 'running');
  });

  test('asks to delay a message: it is sent after that time, once', async () => {
    await bot.enable();
    await bot.comesTo('running');
    bot.peer.refuse('sendMessage', { status: 429, description: 'Too Many Requests', retryAfterS: 7 });
    const before = bot.panel.clock();
    bot.peer.writes(42, '/id');
    await inTime(() => bot.peer.taken.length === 1);
    expect(bot.panel.clock() - before).toBeGreaterThanOrEqual(7_000);
  });
});

test('with a proxy, all traffic goes through it, and names are resolved at its far end', async () => {
  const connects: string[] = [];
  const proxy = createServer().on('connect', (request, socket: Socket) => {
    connects.push(request.url ?? '');
    socket.write('HTTP/1.1 200 Connected\r\n\r\n');
    const outer = connect(Number(new URL(bot.peer.origin).port), '127.0.0.1');
    outer.on('error', () => socket.destroy());
    socket.on('error', () => outer.destroy());
    socket.pipe(outer).pipe(socket);
  });
  await listening(proxy);
  try {
    const tgBotProxy = originOf(proxy);
    await bot.enable({ tgBotProxy, tgBotAPIServer: 'http://api.far.test', tgBotAllowPrivate: false });
    await bot.comesTo('running');
    await bot.replies(() => bot.peer.writes(42, '/id'));
    expect(new Set(connects)).toEqual(new Set(['api.far.test:80']));
  } finally {
    proxy.close();
  }
});

describe('one poll', () => {
  test('is the only one, however often settings are saved', async () => {
    await bot.enable();
    await bot.comesTo('running');
    await Promise.all(
      ['fa-IR', 'ru-RU', 'zh-CN', 'en-US'].map((tgLang) =>
        bot.panel.parts.base.settings.save({ kind: 'local' }, { tgLang }, ''),
      ),
    );
    await bot.comesTo('running');
    const [reply] = await bot.replies(() => bot.peer.writes(42, '/status'));
    expect(reply?.text).toBe('✅ The bot is working.');
    expect(bot.peer.counts.conflicts).toBe(0);
  });

  test('a message resent after a restart is not answered again', async () => {
    await bot.enable();
    await bot.comesTo('running');
    const update = bot.peer.written(42, '/id');
    await bot.replies(() => bot.peer.repeat(update, 900));
    await bot.panel.set({ tgLang: 'ru-RU' });
    await bot.comesTo('running');
    bot.peer.repeat(update, 900);
    const replies = await bot.replies(() => bot.peer.repeat(bot.peer.written(42, '/status'), 901));
    expect(replies.map(({ text }) => text)).toEqual(['✅ Бот работает.']);
  });
});

test('the token appears in no log and in no response', async () => {
  bot.peer.refuse('getMe', { status: 404, description: `Not Found: /bot${BOT_TOKEN}/getMe` });
  await bot.enable();
  const states = [await bot.comesTo('waiting')];
  bot.peer.revokeToken();
  const tested = await bot.panel.post('/setting/testTgBot');
  expect(tested).toMatchObject({ success: false, error: { code: 'bot.tokenRefused' } });
  const logged = JSON.stringify(bot.panel.log.lines, (_key, value: unknown) =>
    value instanceof Error ? [value.message, value.stack, value.cause] : value,
  );
  const all = await bot.panel.post('/setting/all');
  expect(JSON.stringify([states, tested, all]) + logged).not.toContain(BOT_TOKEN);
  expect(logged).toContain('bot.state');
});

test('the test message reaches every admin chat, or names a chat that refused it', async () => {
  await bot.enable({ tgBotChatId: `${ADMIN_CHAT},12` });
  await bot.comesTo('running');
  for (const tgBotChatId of [`${ADMIN_CHAT},12`, '12']) {
    await bot.panel.set({ tgBotChatId });
    expect(await bot.panel.post('/setting/testTgBot')).toMatchObject({
      success: false,
      error: { code: 'bot.chatRefused', params: { chat: '12' } },
    });
  }
  expect(bot.peer.taken.map(({ chatId }) => chatId)).toEqual([String(ADMIN_CHAT)]);
  bot.peer.knows(12);
  await bot.panel.set({ tgBotChatId: `${ADMIN_CHAT},12` });
  expect(await bot.panel.done('/setting/testTgBot')).toEqual({ chats: [String(ADMIN_CHAT), '12'] });
  await bot.panel.set({ tgBotChatId: '' });
  expect(await bot.panel.post('/setting/testTgBot')).toMatchObject({ error: { code: 'bot.noChat' } });
});

test('settings can be tested before the bot is enabled, and nothing is polled meanwhile', async () => {
  await bot.enable({ tgBotEnable: false, tgLang: 'ru-RU' });
  expect(await bot.panel.done('/setting/testTgBot')).toEqual({ chats: [String(ADMIN_CHAT)] });
  expect(bot.peer.taken).toHaveLength(1);
  expect(bot.peer.counts.polls).toBe(0);
  expect(await bot.state()).toMatchObject({ state: 'off' });
  bot.peer.revokeToken();
  expect(await bot.panel.post('/setting/testTgBot')).toMatchObject({ error: { code: 'bot.tokenRefused' } });
  await bot.panel.set({ clearTgBotToken: true });
  expect(await bot.panel.post('/setting/testTgBot')).toMatchObject({ error: { code: 'bot.noToken' } });
});
