import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { afterTest } from '../../testing/for-each-test.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { decodedPart, mailServer } from '../../testing/peers/mail-server.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import { Settings } from '../settings/contract.ts';
import type { Subscriber } from '../events/contract.ts';
import { createMailService } from './service.ts';

let panel: TestPanel;
beforeEach(async () => {
  panel = await openPanel();
});
afterEach(async () => {
  await panel.close();
});

const known = getCACertificates('default');
const { certPem: cert, keyPem: key } = makeSelfSigned();

async function server(options: Parameters<typeof mailServer>[0] = {}) {
  const started = await mailServer({ key, cert, ...options });
  afterTest(() => started.close());
  return started;
}

const settingsFor = (port: number, more: object = {}) => ({
  smtpEnable: true,
  smtpHost: '127.0.0.1',
  smtpPort: port,
  smtpUsername: 'me@example.com',
  smtpPassword: 'right',
  smtpFrom: 'Old name <panel@example.com>',
  smtpFromName: 'Панель "Übersicht"',
  smtpTo: 'a@example.com, B <b@example.com>',
  smtpAllowPrivate: true,
  ...more,
});

const test = (): Promise<unknown> => panel.post('/setting/testSmtp');

describe('the test message', () => {
  it('is sent over STARTTLS with user name and password, from the bare address to every recipient', async () => {
    setDefaultCACertificates([...known, cert]);
    afterTest(() => setDefaultCACertificates(known));
    const { port, received } = await server();
    await panel.set(settingsFor(port));
    expect(await test()).toEqual({
      success: true,
      stage: 'send',
      msg: 'The test message was sent',
      code: '',
      answer: '',
    });
    expect(received).toMatchObject([
      { from: 'panel@example.com', to: ['a@example.com', 'b@example.com'], user: 'me@example.com', isSecure: true },
    ]);
    const { source } = received[0]!;
    expect(source).toMatch(/^Message-ID: <[0-9a-f]{32}@example\.com>\r$/m);
    expect(source).toMatch(/^Date: \w{3}, \d{2} \w{3} \d{4} \d\d:\d\d:\d\d \+0000\r$/m);
    expect(source).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(source).toMatch(/^From: =\?UTF-8\?[BQ]\?[^<>]* <panel@example\.com>\r$/m);
  });

  it('is sent over TLS from the first byte', async () => {
    setDefaultCACertificates([...known, cert]);
    afterTest(() => setDefaultCACertificates(known));
    const { port, received } = await server({ secure: true });
    await panel.set(settingsFor(port, { smtpEncryptionType: 'tls' }));
    expect(await test()).toMatchObject({ success: true, stage: 'send' });
    expect(received).toMatchObject([{ isSecure: true, user: 'me@example.com' }]);
  });

  it('is sent unencrypted and unauthenticated only when configured so, even if the server offers more', async () => {
    const { port, received } = await server();
    await panel.set(settingsFor(port, { smtpEncryptionType: 'none', smtpUsername: '', smtpFromName: '' }));
    expect(await test()).toMatchObject({ success: true });
    expect(received).toMatchObject([{ isSecure: false, user: null }]);
  });

  it.each<[string, object, Parameters<typeof mailServer>[0], object]>([
    ['no host', { smtpHost: '' }, {}, { stage: 'connect', code: 'mail.noHost' }],
    ['no sender', { smtpFrom: '', smtpUsername: 'me' }, {}, { stage: 'send', code: 'mail.noSender' }],
    ['no recipient', { smtpTo: '' }, {}, { stage: 'send', code: 'mail.noRecipients' }],
    ['a private server', { smtpAllowPrivate: false }, {}, { stage: 'connect', code: 'mail.private' }],
    [
      'an untrusted certificate',
      {},
      {},
      { stage: 'auth', code: 'mail.certificate', answer: 'self-signed certificate' },
    ],
    [
      'an untrusted certificate over TLS',
      { smtpEncryptionType: 'tls' },
      { secure: true },
      { stage: 'connect', code: 'mail.certificate', answer: '127.0.0.1: self-signed certificate' },
    ],
    [
      'TLS where there is none',
      { smtpEncryptionType: 'tls' },
      {},
      { stage: 'connect', code: 'mail.starttls', answer: '127.0.0.1: wrong version number' },
    ],
    [
      'no sign-in at all',
      { smtpEncryptionType: 'none' },
      { disabledCommands: ['AUTH'] },
      { stage: 'auth', code: 'mail.noAuth', answer: '500 Error: command not recognized' },
    ],
    [
      'no STARTTLS',
      {},
      { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] },
      { stage: 'auth', code: 'mail.noStarttls' },
    ],
    [
      'a wrong password',
      { smtpEncryptionType: 'none', smtpPassword: 'wrong' },
      { allowInsecureAuth: true },
      {
        stage: 'auth',
        code: 'mail.auth',
        msg: 'Authentication failed — check username and password: 535 Invalid login: 5.7.8 go <away>',
      },
    ],
    [
      'a refused sender',
      { smtpEncryptionType: 'none', smtpUsername: '' },
      {
        onMailFrom: (_address: unknown, _session: unknown, done: (error: Error) => void) =>
          done(Object.assign(new Error('no relay'), { responseCode: 550 })),
      },
      { stage: 'send', code: 'mail.rejected', answer: '550 no relay' },
    ],
    [
      'a refused message',
      { smtpEncryptionType: 'none', smtpUsername: '' },
      {
        onData(stream: NodeJS.ReadableStream, _session: unknown, done: (error: Error) => void) {
          stream.resume();
          stream.on('end', () => done(Object.assign(new Error('looks like spam'), { responseCode: 552 })));
        },
      },
      { stage: 'send', code: 'mail.failed', answer: '552 looks like spam' },
    ],
  ])('reports the stage reached: %s', async (_what, settings, options, expected) => {
    const { port } = await server(options);
    await panel.set(settingsFor(port, settings));
    expect(await test()).toMatchObject({ success: false, ...expected });
  });

  it.each([
    [534, 'encrypt first', 'mail.starttls'],
    [503, 'must issue a STARTTLS command first', 'mail.starttls'],
    [535, 'wrong, even with STARTTLS', 'mail.auth'],
  ])('tells a sign-in that needs STARTTLS from a wrong one: %i %s', async (responseCode, text, code) => {
    const { port } = await server({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(Object.assign(new Error(text), { responseCode })),
    });
    await panel.set(settingsFor(port, { smtpEncryptionType: 'none' }));
    expect(await test()).toMatchObject({ stage: 'auth', code, answer: `${responseCode} ${text}` });
  });

  it('reports that nothing listens there', async () => {
    const { port, close } = await mailServer({ key, cert });
    await close();
    await panel.set(settingsFor(port));
    expect(await test()).toMatchObject({
      stage: 'connect',
      code: 'mail.refused',
      answer: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    ['says nothing', 'none', '', 'auth', 'mail.noAnswer'],
    ['greets and stalls', 'none', '220 hello\r\n', 'auth', 'mail.noAnswer'],
    ['does not begin with TLS', 'tls', '', 'connect', 'mail.noAnswer'],
  ])(
    'gives up on a server that %s, and closes the connection',
    async (_what, smtpEncryptionType, greeting, at, code) => {
      const open = new Set<Socket>();
      const stalling = createServer((socket) => {
        open.add(socket);
        socket.on('close', () => open.delete(socket)).on('error', () => {});
        socket.resume().write(greeting);
      });
      stalling.listen(0, '127.0.0.1');
      await once(stalling, 'listening');
      afterTest(() => stalling.close());
      const mail = createMailService({
        dialer: createGuardedDialer(),
        settings: {
          current: () => Settings.parse(settingsFor((stalling.address() as AddressInfo).port, { smtpEncryptionType })),
        },
        clients: { letter: async () => null },
        panelGuid: 'guid',
        clock: Date.now,
        log: panel.log,
        limits: { connectMs: 300, conversationMs: 300 },
      });
      const { stage, error } = await mail.test();
      expect([stage, error?.code]).toEqual([at, code]);
      await expect.poll(() => open.size).toBe(0);
    },
  );
});

describe('events by e-mail', () => {
  const open = { smtpEncryptionType: 'none', smtpUsername: '', smtpFromName: '' };
  const events = () => panel.parts.notifying.events;

  it('are sent to the admins in their language, well-formed whatever the names are', async () => {
    const { port, received } = await server();
    await panel.set(
      settingsFor(port, { ...open, tgLang: 'fa-IR', smtpEnabledEvents: 'node.down', smtpTo: 'a@example.com' }),
    );
    const name = 'x\r\nBcc: evil@example.com\r\n\r\n<script>alert(1)</script>\u202e';
    events().take('node.down', { nodeId: 1, name, error: '"refused" & <gone>' });
    events().take('node.up', { nodeId: 1, name });
    await panel.advance(5_000);
    expect(received).toHaveLength(1);
    const { source, to } = received[0]!;
    expect(to).toEqual(['a@example.com']);
    expect(source).not.toMatch(/^Bcc/m);
    const html = decodedPart(source, 'text/html');
    expect(html).toContain('<html lang="fa" dir="rtl">');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('&quot;refused&quot; &amp; &lt;gone&gt;');
    expect(html).not.toContain('\u202e');
    expect(decodedPart(source, 'text/plain')).toContain('خطا: \u2068"refused" & <gone>\u2069');
    // When it happened: the message may be delivered much later.
    expect(decodedPart(source, 'text/plain')).toMatch(/\n-- \n.* · [۰-۹]+ .+ ۱۴۰۲.+[۰-۹]{2}:[۰-۹]{2}\n/);
  });

  it('use their own threshold for CPU load', async () => {
    const { port, received } = await server();
    await panel.set(settingsFor(port, { ...open, smtpCpu: 70, smtpEnabledEvents: 'cpu.high' }));
    for (const percent of [70, 71]) events().take('cpu.high', { percent });
    await panel.advance(5_000);
    expect(received.map(({ source }) => decodedPart(source, 'text/plain').split('\n')[0])).toEqual([
      'The processor is at 71%',
    ]);
  });

  it('are sent to clients whose name is an address, if configured, and to nobody when e-mail is off', async () => {
    const { port, received } = await server();
    await panel.set(settingsFor(port, { ...open, smtpEnabledEvents: '', smtpClientEvents: 'client.expired' }));
    events().take('client.expired', { clientId: 1, email: 'alice@example.com' });
    events().take('client.expired', { clientId: 2, email: 'bob' });
    events().take('client.depleted', { clientId: 1, email: 'alice@example.com' });
    await panel.advance(5_000);
    expect(received.map(({ to }) => to)).toEqual([['alice@example.com']]);
    await panel.set({ smtpEnable: false });
    events().take('client.expired', { clientId: 3, email: 'carol@example.com' });
    await panel.advance(5_000);
    expect(received).toHaveLength(1);
  });

  it('are not retried when the mailbox is refused, but are when the server is unreachable', async () => {
    const { port } = await server({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no mailbox'), { responseCode: 550 })),
    });
    await panel.set(settingsFor(port, { ...open, smtpEnabledEvents: 'node.down' }));
    events().take('node.down', { nodeId: 1, name: 'de-1' });
    await panel.advance(5_000);
    const state = async () =>
      (await panel.read<Subscriber[]>('/events/subscribers')).find(({ name }) => name === 'email');
    expect(await state()).toMatchObject({ dead: 1, waiting: 0, lastError: expect.stringContaining('550 no mailbox') });
    await panel.set({ smtpPort: 1, smtpPassword: 'right' });
    events().take('node.down', { nodeId: 2, name: 'de-2' });
    await panel.advance(5_000);
    expect(await state()).toMatchObject({ dead: 1, waiting: 1 });
    expect(JSON.stringify(panel.log)).not.toContain('right');
  });

  it('are sent again to a mail server that puts off senders it does not know', async () => {
    let attempts = 0;
    const { port, received } = await server({
      onRcptTo: (_address, _session, done) => {
        attempts += 1;
        done(attempts > 1 ? null : Object.assign(new Error('greylisted, try again later'), { responseCode: 451 }));
      },
    });
    await panel.set(settingsFor(port, { ...open, smtpEnabledEvents: 'node.down', smtpTo: 'a@example.com' }));
    events().take('node.down', { nodeId: 1, name: 'de-1' });
    await panel.advance(5_000);
    expect([attempts, received.length]).toEqual([1, 0]);
    await panel.advance(10_000);
    expect(received.map(({ to }) => to)).toEqual([['a@example.com']]);
  });

  it('are sent again only to the recipient that was put off, while others have them', async () => {
    let attempts = 0;
    const { port, received } = await server({
      onRcptTo: ({ address }, _session, done) => {
        if (address === 'b@example.com') attempts += 1;
        const isPutOff = address === 'b@example.com' && attempts === 1;
        done(isPutOff ? Object.assign(new Error('try again later'), { responseCode: 450 }) : null);
      },
    });
    await panel.set(settingsFor(port, { ...open, smtpEnabledEvents: 'node.down' }));
    events().take('node.down', { nodeId: 1, name: 'de-1' });
    await panel.advance(5_000);
    await panel.advance(10_000);
    await panel.advance(60_000);
    expect(received.map(({ to }) => to)).toEqual([['a@example.com'], ['b@example.com']]);
  });
});
