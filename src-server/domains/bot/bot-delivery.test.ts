import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { ADMIN_CHAT, openBotPanel, type BotPanel } from '../../testing/bot-api/bot-panel.ts';

const run = promisify(execFile);
const SQLITE = 'SQLite format 3\0';
const HOUR = 3_600_000;

let bot: BotPanel;
beforeEach(async () => void (bot = await openBotPanel()));
afterEach(() => bot.close());

async function begin(more: object = {}): Promise<void> {
  await bot.enable(more);
  await bot.comesTo('running');
}

describe('a backup', () => {
  test('goes to every admin chat and to no other, with the database and the config of the core', async () => {
    bot.peer.knows(12, 42);
    await begin({ tgBotChatId: `${ADMIN_CHAT},12` });
    const response = await bot.panel.post('/backuptobot');
    expect(response).toMatchObject({ success: true, msg: 'Backup sent.', obj: { chats: [String(ADMIN_CHAT), '12'] } });
    const sent = bot.peer.taken.map(({ chatId, file }) => [chatId, file?.name.replace(/^.*\./, '')]);
    expect(sent).toEqual([
      [String(ADMIN_CHAT), 'db'],
      [String(ADMIN_CHAT), 'json'],
      ['12', 'db'],
      ['12', 'json'],
    ]);
    const [database, config] = bot.peer.taken.map(({ file }) => file!.bytes);
    expect(String(database!.subarray(0, 16))).toBe(SQLITE);
    expect(JSON.parse(String(config))).toHaveProperty('outbounds');
  });

  test('is opened by its passphrase and no other', async () => {
    await begin({ tgBotBackupPassphrase: 'correct horse <staple>' });
    await bot.panel.done('/backuptobot');
    const { name, bytes } = bot.peer.taken[0]!.file!;
    expect(name).toMatch(/\.db\.gz\.enc$/);
    expect(bytes.includes(SQLITE)).toBe(false);
    const folder = await testFolder();
    try {
      await writeFile(join(folder, 'sealed'), bytes);
      // The command from docs/bot.md.
      const open = (passphrase: string) =>
        run(
          'openssl',
          ['enc', '-d', '-aes-256-cbc', '-pbkdf2', '-iter', '600000', '-in', 'sealed', '-pass', 'env:PASSPHRASE'],
          { cwd: folder, env: { ...process.env, PASSPHRASE: passphrase }, encoding: 'buffer', maxBuffer: 2 ** 26 },
        );
      const { stdout } = await open('correct horse <staple>');
      expect(String(gunzipSync(stdout).subarray(0, 16))).toBe(SQLITE);
      const wrong = await open('wrong').then(
        (result) => result.stdout,
        () => null,
      );
      expect(wrong === null || !wrong.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))).toBe(true);
    } finally {
    }
  });

  test('is refused with a reason when the bot is off, has no chat, or every chat refuses it', async () => {
    expect(await bot.panel.post('/backuptobot')).toMatchObject({ success: false, error: { code: 'bot.disabled' } });
    await begin({ tgBotChatId: '' });
    expect(await bot.panel.post('/backuptobot')).toMatchObject({ success: false, error: { code: 'bot.noChat' } });
    await bot.panel.set({ tgBotChatId: '99' });
    expect(await bot.panel.post('/backuptobot')).toMatchObject({
      success: false,
      error: { code: 'bot.chatRefused', params: { chat: '99' } },
    });
    bot.peer.knows(12);
    await bot.panel.set({ tgBotChatId: '99,12' });
    expect(await bot.panel.done('/backuptobot')).toMatchObject({ chats: ['12'], failed: [{ chat: '99' }] });
  });
});

describe('the report', () => {
  test('is sent on schedule, with a backup if configured, and clients are told about their own', async () => {
    const inbound = await bot.panel.inbound(24_451);
    const soon = bot.panel.clock() + 30 * HOUR;
    await bot.panel.add({ email: 'ending', tgId: 42, expiryTime: soon }, [inbound]);
    await bot.panel.add({ email: 'lasting', tgId: 42 }, [inbound]);
    await bot.panel.add({ email: 'switched-off', tgId: 42, enable: false }, [inbound]);
    await bot.panel.add({ email: 'other', tgId: 43 }, [inbound]);
    await bot.panel.add({ email: 'of-an-admin', tgId: ADMIN_CHAT, expiryTime: soon }, [inbound]);
    bot.peer.knows(42, 43);
    await begin({ tgRunTime: '@every 20s', tgBotBackup: true });
    const sent = await bot.replies(() => bot.panel.advance(20_000), 4);
    expect(sent.map(({ chatId, method }) => `${method} ${chatId}`)).toEqual([
      `sendMessage ${ADMIN_CHAT}`,
      'sendMessage 42',
      `sendDocument ${ADMIN_CHAT}`,
      `sendDocument ${ADMIN_CHAT}`,
    ]);
    expect(sent[0]?.text).toContain('Report (@every 20s)');
    expect(sent[0]?.text).toContain('👤 ending');
    expect(sent[1]?.text).toContain('ending');
    expect(sent[1]?.text).toContain('switched-off');
    expect(sent[1]?.text).not.toContain('lasting');
  });

  test('reaches clients although the chat of the admin is gone, and waits for the next time when nothing is reached', async () => {
    const inbound = await bot.panel.inbound(24_452);
    const expiryTime = bot.panel.clock() + 30 * HOUR;
    await bot.panel.add({ email: 'ending', tgId: 42, expiryTime }, [inbound]);
    bot.peer.knows(42);
    await begin({ tgRunTime: '@every 20s' });
    const blocked = { status: 403, description: 'Forbidden: bot was blocked by the user', chatId: ADMIN_CHAT };
    bot.peer.refuse('sendMessage', blocked);
    const [own] = await bot.replies(() => bot.panel.advance(20_000));
    expect(own?.chatId).toBe('42');
    bot.peer.refuse('sendMessage', { status: 500, description: 'Internal Server Error', chatId: ADMIN_CHAT });
    const before = bot.peer.taken.length;
    await bot.panel.advance(20_000);
    await expect.poll(() => bot.peer.counts.refused).toBe(2);
    expect(bot.peer.taken).toHaveLength(before);
  });

  test('is sent at its hour of the panel’s zone, and follows a change of either', async () => {
    const hour = (new Date(bot.panel.clock()).getUTCHours() + 1) % 24;
    await begin({ tgRunTime: `0 0 ${hour} * * *`, timeLocation: 'Etc/GMT-6', tgEnabledEvents: '' });
    await bot.panel.advance(HOUR);
    expect(bot.peer.taken).toEqual([]);
    await bot.panel.set({ tgRunTime: `0 0 ${(hour + 1) % 24} * * *` });
    await bot.panel.set({ timeLocation: 'UTC' });
    await bot.comesTo('running');
    const [onTime] = await bot.replies(() => bot.panel.advance(HOUR));
    expect(onTime?.text).toContain(`Report (0 0 ${(hour + 1) % 24} * * *)`);
    await bot.panel.set({ tgRunTime: '@every 20s' });
    const [soon] = await bot.replies(() => bot.panel.advance(20_000));
    expect(soon?.text).toContain('Report (@every 20s)');
  });

  test('is not sent while the core is stopped or the bot is off', async () => {
    await begin({ tgRunTime: '@every 20s' });
    await bot.panel.parts.engine.core.stop().catch(() => undefined);
    await bot.panel.advance(40_000);
    await bot.panel.set({ tgBotEnable: false });
    await bot.panel.advance(40_000);
    expect(bot.peer.taken).toEqual([]);
  });
});

describe('webhook messages', () => {
  const deliver = (url: string, update: object, secret: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body: JSON.stringify(update),
    });

  test('are answered when the API server proves its identity; anyone else gets an unknown path', async () => {
    await begin({ tgBotWebhookURL: bot.panel.app.panel.url });
    expect(await bot.state()).toMatchObject({ state: 'running', mode: 'webhook' });
    const { url, secret } = bot.peer.webhook();
    expect(url.startsWith(`${bot.panel.app.panel.url}bot/`)).toBe(true);
    const update = { update_id: 1_000, ...bot.peer.written(42, '/id') };
    const [reply] = await bot.replies(() => void deliver(url, update, secret));
    expect(reply?.text).toBe('🆔 Your ID: 42');
    expect((await deliver(url, { ...update, update_id: 1_001 }, 'guessed')).status).toBe(404);
    expect((await deliver(`${url}0`, { ...update, update_id: 1_002 }, secret)).status).toBe(404);
    // Delivered again, because the API server did not see the acknowledgement.
    expect((await deliver(url, update, secret)).status).toBe(200);
    const next = { update_id: 1_003, ...bot.peer.written(42, '/status') };
    const replies = await bot.replies(() => void deliver(url, next, secret));
    expect(replies.map(({ text }) => text)).toEqual(['✅ The bot is working.']);
    expect(bot.peer.counts.polls).toBe(0);
  });

  test('are answered in any order, also after a restart: the API server repeats what failed later', async () => {
    await begin({ tgBotWebhookURL: bot.panel.app.panel.url });
    const { url, secret } = bot.peer.webhook();
    const of = (update_id: number, chatId: number) => ({ update_id, ...bot.peer.written(chatId, '/id') });
    const [first, second, third] = [of(2_001, 41), of(2_002, 42), of(2_003, 43)];
    expect((await bot.replies(() => void deliver(url, third, secret)))[0]?.chatId).toBe('43');
    expect((await bot.replies(() => void deliver(url, second, secret)))[0]?.chatId).toBe('42');
    await bot.panel.set({ tgLang: 'ru-RU' });
    await bot.comesTo('running');
    for (const again of [third, second]) expect((await deliver(url, again, secret)).status).toBe(200);
    const replies = await bot.replies(() => void deliver(url, first, secret));
    expect(replies.map(({ chatId }) => chatId)).toEqual(['41']);
  });

  test('of an unreadable shape are dropped, and keep no other from being answered', async () => {
    await begin({ tgBotWebhookURL: bot.panel.app.panel.url });
    const { url, secret } = bot.peer.webhook();
    const shapes = [
      { message: 5 },
      { message: null },
      { message: { chat: null } },
      { message: { chat: {} } },
      { callback_query: {} },
    ];
    for (const [at, shape] of shapes.entries())
      expect((await deliver(url, { update_id: 3_000 + at, ...shape }, secret)).status).toBe(200);
    expect((await deliver(url, { ...bot.peer.written(41, '/id'), update_id: 'x' }, secret)).status).toBe(200);
    const update = { update_id: 3_100, ...bot.peer.written(42, '/id') };
    expect((await bot.replies(() => void deliver(url, update, secret)))[0]?.chatId).toBe('42');
  });

  test('that come before the API server has told who the bot is are left for later', async () => {
    await begin({ tgBotWebhookURL: bot.panel.app.panel.url });
    const { url, secret } = bot.peer.webhook();
    bot.peer.hang(true);
    await bot.panel.set({ tgLang: 'ru-RU' });
    await expect.poll(async () => (await bot.state()).state).toBe('starting');
    const update = { update_id: 4_000, ...bot.peer.written(42, '/id') };
    expect((await deliver(url, update, secret)).status).toBe(404);
    expect(bot.panel.log.lines.filter(({ event }) => event === 'http.unexpected')).toEqual([]);
  });

  test('that cannot be delivered are reported until delivery works again', async () => {
    await begin({ tgBotWebhookURL: bot.panel.app.panel.url });
    bot.peer.failedWebhook(bot.panel.clock() + 30_000, 'Wrong response from the webhook: 502 Bad Gateway');
    await bot.panel.advance(60_000);
    const { problem } = await bot.comesTo('waiting');
    expect(problem).toMatchObject({ code: 'bot.webhookFailing' });
    expect(problem?.text).toContain('502 Bad Gateway');
    await expect
      .poll(async () => {
        await bot.panel.advance(60_000);
        return (await bot.state()).state;
      })
      .toBe('running');
  });

  test('are polled again once the address is removed', async () => {
    await begin({ tgBotWebhookURL: bot.panel.app.panel.url });
    const { url, secret } = bot.peer.webhook();
    await bot.panel.set({ tgBotWebhookURL: '' });
    await expect.poll(async () => (await bot.state()).state === 'running' && bot.peer.counts.polls > 0).toBe(true);
    expect(bot.peer.webhook().url).toBe('');
    expect((await deliver(url, { update_id: 2, ...bot.peer.written(42, '/id') }, secret)).status).toBe(404);
  });
});
