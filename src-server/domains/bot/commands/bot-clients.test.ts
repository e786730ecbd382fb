import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { forAllTests } from '../../../testing/for-each-test.ts';
import { ADMIN_CHAT, openBotPanel } from '../../../testing/bot-api/bot-panel.ts';

const ANNA = 41;
const BERT = 42;
const STRANGER = 43;

let ids: Record<string, number>;
const bot = forAllTests(openBotPanel);
beforeAll(async () => {
  const inbound = await bot.panel.inbound(24_431);
  await bot.panel.add({ email: 'anna', tgId: ANNA, totalGB: 10_737_418_240 }, [inbound]);
  await bot.panel.add({ email: 'bert', tgId: BERT, subId: 'sub-of-bert' }, [inbound]);
  await bot.panel.add({ email: 'nobodys' }, [inbound]);
  const clients = await bot.panel.read<{ recordId: number; email: string }[]>('/clients/list');
  ids = Object.fromEntries(clients.map(({ email, recordId }) => [email, recordId]));
  await bot.enable();
  await bot.comesTo('running');
});

test('a client sees its own usage, and a stranger sees only their id', async () => {
  const [usage] = await bot.replies(() => bot.peer.writes(ANNA, '/usage'));
  expect(usage?.text).toContain('anna');
  expect(usage?.text).toContain('10.00GB');
  expect(usage?.buttons).toEqual([`own:${ids['anna']}`, `links:${ids['anna']}`, `qr:${ids['anna']}`]);
  const [, reply] = await bot.replies(() => bot.peer.writes(STRANGER, '/start'), 2);
  expect(reply?.text).toBe(`No client is tied to you. Send your ID to the administrator: ${STRANGER}`);
  expect(reply?.buttons).toEqual([]);
});

test('a client gets its own links and readable QR codes', async () => {
  const { sent } = await bot.pressed(BERT, `links:${ids['bert']}`);
  expect(sent.map(({ text }) => text).join('\n')).toMatch(/\/sub\/sub-of-bert[\s\S]*vless:\/\//);
  const codes = (await bot.pressed(BERT, `qr:${ids['bert']}`)).sent;
  expect(codes).toHaveLength(2);
  const texts = codes.map(({ file }) => {
    const { data, width, height } = PNG.sync.read(file!.bytes);
    return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
  });
  expect(texts[0]).toMatch(/\/sub\/sub-of-bert$/);
  expect(texts[1]).toMatch(/^vless:\/\//);
});

test('a subscription has its own address below a configured one, with and without a slash at its end', async () => {
  for (const subURI of ['https://sub.example/s', 'https://sub.example/s/']) {
    await bot.panel.set({ subURI });
    const { sent } = await bot.pressed(BERT, `links:${ids['bert']}`);
    expect(sent[0]?.text).toContain('https://sub.example/s/sub-of-bert');
  }
  await bot.panel.set({ subURI: '' });
});

describe('a forged callback', () => {
  const verbs = [
    'own',
    'links',
    'qr',
    'card',
    'reset',
    'reset!',
    'quota',
    'off',
    'off!',
    'on',
    'expiry',
    'tie',
    'untie!',
    'ips',
    'ips!',
    'forget!',
    'of',
    'inbound',
    'list',
    'found',
    'addin',
  ];

  test.each(verbs)("%s for another's client sends nothing", async (verb) => {
    for (const id of [ids['bert'], ids['nobodys'], 999_999]) {
      const { sent, notice } = await bot.pressed(ANNA, `${verb}:${id}:1`);
      expect(sent).toEqual([]);
      expect(notice).toBe('This is not yours, or it is gone.');
    }
  });

  test.each([
    'menu',
    'status',
    'states',
    'top',
    'search',
    'add',
    'backup',
    'logs',
    'restart!',
    'resetall!',
    '__proto__',
    'constructor',
    '',
    ':',
  ])('%s from a non-admin sends nothing', async (data) => {
    const { sent, notice } = await bot.pressed(BERT, data === '' ? ' ' : data);
    expect(sent).toEqual([]);
    expect(notice).toBe('This is not yours, or it is gone.');
  });

  test('and admin commands are unknown to everybody else', async () => {
    for (const text of ['/restart', '/clearall', '/inbound x', '/nonsense']) {
      const [reply] = await bot.replies(() => bot.peer.writes(BERT, text));
      expect(reply?.text).toBe('❗ Unknown command.');
    }
  });

  test('changed nothing', async () => {
    const { client } = await bot.panel.read<{ client: object }>('/clients/get/bert');
    expect(client).toMatchObject({ enable: true, totalGB: 0, expiryTime: 0, tgId: BERT });
  });
});

test('in a group nobody is answered, and only the id of the group is sent', async () => {
  const group = { chat: { id: -100_7, type: 'supergroup' } };
  bot.peer.knows(-100_7);
  const [reply] = await bot.replies(() => {
    bot.peer.writes(ANNA, '/usage', group);
    bot.peer.writes(ANNA, '/start', group);
    bot.peer.writes(ANNA, '/id', group);
  });
  expect(reply).toMatchObject({ chatId: '-1007', text: '-1007' });
});

describe('a deep link', () => {
  const payloadOf = (link: string) => new URL(link).searchParams.get('start') ?? '';
  const linkFor = async (email: string) =>
    payloadOf((await bot.panel.done<{ link: string }>(`/clients/botLink/${email}`)).link);

  test('ties the first person who opens it, and nobody after that', async () => {
    const payload = await linkFor('nobodys');
    expect(payload).toMatch(/^[\w-]{1,64}$/);
    const [tied, card] = await bot.replies(() => bot.peer.writes(77, `/start ${payload}`), 2);
    expect(tied?.text).toBe('🔗 You are tied to nobodys now.');
    expect(card?.text).toContain('nobodys');
    const [refused] = await bot.replies(() => bot.peer.writes(78, `/start ${payload}`));
    expect(refused?.text).toContain('was used already or is too old');
    expect(await bot.panel.read('/clients/get/nobodys')).toMatchObject({ client: { tgId: 77 } });
  });

  test('that was used ties nobody after its chat was untied, however it is written', async () => {
    const untie = async () => {
      await bot.pressed(ADMIN_CHAT, `untie!:${ids['nobodys']}`);
      bot.panel.jumpClock(1);
    };
    await untie();
    const payload = await linkFor('nobodys');
    await bot.replies(() => bot.peer.writes(77, `/start ${payload}`), 2);
    await untie();
    for (const text of [payload, `${payload}=`]) {
      const [refused] = await bot.replies(() => bot.peer.writes(77, `/start ${text}`));
      expect(refused?.text).toContain('was used already or is too old');
    }
    expect(await bot.panel.read('/clients/get/nobodys')).toMatchObject({ client: { tgId: 0 } });
    const [tied] = await bot.replies(async () => bot.peer.writes(78, `/start ${await linkFor('nobodys')}`), 2);
    expect(tied?.text).toBe('🔗 You are tied to nobodys now.');
  });

  test('is invalid when it is for another client, altered by one character, or a week old', async () => {
    const payload = await linkFor('nobodys');
    const bytes = Buffer.from(payload, 'base64url');
    const forged = Buffer.from(bytes);
    forged.writeUIntBE(ids['bert']!, 0, 6);
    const later = Buffer.from(bytes);
    later.writeUIntBE(later.readUIntBE(6, 6) + 86_400_000, 6, 6);
    for (const text of [forged.toString('base64url'), later.toString('base64url'), 'x', `${payload}AA`]) {
      const [refused] = await bot.replies(() => bot.peer.writes(STRANGER, `/start ${text}`));
      expect(refused?.text).toContain('was used already or is too old');
    }
    bot.panel.jumpClock(8 * 86_400_000);
    const [old] = await bot.replies(() => bot.peer.writes(STRANGER, `/start ${payload}`));
    expect(old?.text).toContain('was used already or is too old');
    expect(await bot.panel.read('/clients/get/bert')).toMatchObject({ client: { tgId: BERT } });
  });

  test('is refused for an unknown client', async () =>
    expect(await bot.panel.post('/clients/botLink/missing')).toMatchObject({ error: { code: 'client.notFound' } }));
});
