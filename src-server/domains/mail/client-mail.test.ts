import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import { decodedPart, mailServer } from '../../testing/peers/mail-server.ts';
import type { FailedDelivery } from '../events/contract.ts';

let panel: TestPanel;
let mail: Awaited<ReturnType<typeof mailServer>>;
let inboundId: number;
beforeEach(async () => {
  panel = await openPanel();
  mail = await mailServer({ disabledCommands: ['STARTTLS'] });
  inboundId = await panel.inbound(45_001);
  await panel.set({
    smtpEnable: true,
    smtpHost: '127.0.0.1',
    smtpPort: mail.port,
    smtpFrom: 'panel@example.com',
    smtpEncryptionType: 'none',
    smtpAllowPrivate: true,
    subURI: `${panel.app.sub}/sub/`,
  });
});
afterEach(async () => {
  await panel.close();
  await mail.close();
});

const add = (email: string, more: object = {}) => panel.add({ email, ...more }, [inboundId]);
const sendLink = (email: string) => panel.post(`/clients/sendLink/${encodeURIComponent(email)}`);
const stopped = (email: string) => panel.read(`/clients/mailChoice/${encodeURIComponent(email)}`);
const recipients = () => mail.received.flatMap(({ to }) => to).sort();
const arrived = async (count: number) => {
  await panel.advance(5_000);
  expect(mail.received).toHaveLength(count);
};
/** Every URL in the text of the last message. */
const addresses = () => {
  const text = decodedPart(mail.received.at(-1)!.source, 'text/plain');
  return [...text.matchAll(/^https?:\S+$/gm)].map(([url]) => url);
};

describe('the link of a client', () => {
  test('is sent as text and HTML, right-to-left in such languages, and opens the subscription', async () => {
    await panel.set({ tgLang: 'fa-IR' });
    await add('alice@example.com', { subId: 'k3v9' });
    expect(await sendLink('ALICE@example.com')).toEqual({ success: true, msg: 'The link is on its way', obj: null });
    await arrived(1);
    expect(recipients()).toEqual(['alice@example.com']);
    const { source } = mail.received[0]!;
    const [link, stop] = addresses();
    expect(link).toBe(`${panel.app.sub}/sub/k3v9`);
    const html = decodedPart(source, 'text/html');
    expect(html).toContain('<html lang="fa" dir="rtl">');
    expect(html).toContain(`<p dir="ltr"><a href="${link}">${link}</a></p>`);
    expect(source.replaceAll('\r\n ', ' ')).toContain(`List-Unsubscribe: <${stop}>`);
    // Only an address that is protected in transit may be posted to.
    expect(source).not.toContain('List-Unsubscribe-Post');
    expect((await fetch(link!)).status).toBe(200);
    await panel.set({ subURI: 'https://sub.example/sub/' });
    await sendLink('alice@example.com');
    await arrived(2);
    expect(mail.received[1]!.source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  test('is sent to many at once; those that cannot get one are named with the reason', async () => {
    for (const email of ['a@example.com', 'b@example.com', 'bob']) await add(email);
    await panel.done('/clients/mailChoice/b@example.com', { isStopped: true });
    const emails = ['a@example.com', 'A@example.com ', 'b@example.com', 'bob', 'gone@example.com', ''];
    expect(await panel.done('/clients/bulkSendLink', { emails })).toEqual({
      queued: 1,
      skipped: [
        { email: 'b@example.com', code: 'mail.stopped', reason: 'This client wants no e-mail' },
        { email: 'bob', code: 'mail.notAddress', reason: 'The name of this client is no e-mail address' },
        { email: 'gone@example.com', code: 'client.notFound', reason: expect.any(String) },
      ],
    });
    await arrived(1);
    expect(recipients()).toEqual(['a@example.com']);
  });

  test('reaches each of many once, even when others get a summary', async () => {
    await panel.set({ smtpTo: 'admin@example.com', smtpEnabledEvents: 'client.link' });
    const emails = Array.from({ length: 12 }, (_, at) => `c${at}@example.com`);
    for (const email of emails) await add(email);
    expect(await panel.done('/clients/bulkSendLink', { emails })).toEqual({ queued: 12, skipped: [] });
    await panel.advance(60_000);
    expect(recipients()).toEqual(['admin@example.com', ...emails].sort());
  });

  test.each<[string, object, string]>([
    ['e-mail is off', { smtpEnable: false }, 'mail.off'],
    ['there is no sender', { smtpFrom: '', smtpUsername: 'me' }, 'mail.noSender'],
    ['there are no subscriptions', { subEnable: false }, 'mail.noSubscription'],
  ])('is refused while %s', async (_what, settings, code) => {
    await add('alice@example.com');
    await panel.set(settings);
    expect(await sendLink('alice@example.com')).toMatchObject({ success: false, error: { code } });
    expect(await panel.post('/clients/bulkSendLink', { emails: ['alice@example.com'] })).toMatchObject({
      error: { code },
    });
    await panel.advance(5_000);
    expect(mail.received).toEqual([]);
  });

  test('is refused for a name that is not an address, a client that opted out, and an empty list', async () => {
    await add('bob');
    await add('alice@example.com');
    panel.events.length = 0;
    await panel.done('/clients/mailChoice/alice@example.com', { isStopped: true });
    expect(panel.events).toMatchObject([{ type: 'invalidate', resource: 'clients' }]);
    for (const [email, code] of [
      ['bob', 'mail.notAddress'],
      ['alice@example.com', 'mail.stopped'],
      ['carol@example.com', 'client.notFound'],
    ] as const)
      expect(await sendLink(email)).toMatchObject({ success: false, error: { code } });
  });

  test('waits while the mail server is unreachable, and is given up with its error when refused', async () => {
    await add('alice@example.com');
    await panel.set({ smtpPort: 1 });
    await sendLink('alice@example.com');
    await panel.advance(5_000);
    await panel.set({ smtpPort: mail.port });
    await panel.advance(30_000);
    expect(recipients()).toEqual(['alice@example.com']);
    await sendLink('alice@example.com');
    await panel.set({ subEnable: false });
    await panel.advance(5_000);
    const [given] = await panel.read<FailedDelivery[]>('/events/failed');
    expect(given).toMatchObject({ channel: 'email:clients', kind: 'client.link', attempts: 1 });
  });
});

describe('new clients', () => {
  const many = (...emails: string[]) =>
    panel.done(
      '/clients/bulkCreate',
      emails.map((email) => ({ client: { email }, inboundIds: [inboundId] })),
    );

  test('get no link unless the operator chose it', async () => {
    await add('alice@example.com');
    await many('b@example.com');
    await arrived(0);
  });

  test('get their link when the operator chose it: each once, and not those restored by an import', async () => {
    await panel.set({ smtpNewClientLink: true });
    await add('alice@example.com', { subId: 'same' });
    await many('b@example.com', 'c@example.com', 'dora');
    // Attached again, not new.
    await add('alice@example.com', { subId: 'same' });
    const data = JSON.stringify([{ client: { email: 'old@example.com' }, inboundIds: [inboundId] }]);
    expect(await panel.done('/clients/import', { data })).toMatchObject({ created: 1 });
    await add('last@example.com');
    await expect
      .poll(async () => {
        await panel.advance(5_000);
        return recipients();
      })
      .toEqual(['alice@example.com', 'b@example.com', 'c@example.com', 'last@example.com']);
  });
});

describe('a client that opts out', () => {
  async function stopAddress(): Promise<string> {
    await panel.set({ smtpClientEvents: 'client.expired' });
    await add('alice@example.com');
    await sendLink('alice@example.com');
    await arrived(1);
    return addresses()[1]!;
  }
  async function expire(): Promise<void> {
    const { clientId } = (await panel.state('alice@example.com'))!;
    panel.parts.notifying.events.take('client.expired', { clientId, email: 'alice@example.com' });
    await panel.advance(5_000);
  }

  test('does so on a page of the subscription server, where just opening changes nothing', async () => {
    const address = await stopAddress();
    const page = await fetch(address, { headers: { 'accept-language': 'fa' } });
    expect(await page.text()).toContain('dir="rtl"');
    expect(await stopped('alice@example.com')).toEqual({ isAddress: true, isStopped: false });
    await expire();
    expect(mail.received).toHaveLength(2);

    const response = await fetch(address, { method: 'POST', body: 'List-Unsubscribe=One-Click' });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('no more e-mails')]);
    expect(await stopped('alice@example.com')).toEqual({ isAddress: true, isStopped: true });
    await expire();
    expect(mail.received).toHaveLength(2);

    await fetch(`${address}?on=1`, { method: 'POST' });
    await expire();
    expect(mail.received).toHaveLength(3);
  });

  test('is identified by an address that nobody else can make, and that is gone with the client', async () => {
    const address = await stopAddress();
    const forged = address.replace(/mail\/(.)/, (_all, first: string) => `mail/${first === 'A' ? 'B' : 'A'}`);
    for (const method of ['GET', 'POST', 'DELETE']) expect((await fetch(forged, { method })).status, method).toBe(404);
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(404);
    await panel.done('/clients/del/alice@example.com');
    for (const method of ['GET', 'POST']) expect((await fetch(address, { method })).status).toBe(404);
  });

  test('is not sent messages that were waiting', async () => {
    const address = await stopAddress();
    await sendLink('alice@example.com');
    await fetch(address, { method: 'POST' });
    await panel.advance(5_000);
    expect(mail.received).toHaveLength(1);
  });
});
