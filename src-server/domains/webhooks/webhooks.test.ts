import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterTest } from '../../testing/for-each-test.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import type { StoredEvent } from '../events/channel.ts';
import type { Subscriber } from '../events/contract.ts';
import type { Webhook, WebhookAttempt } from './contract.ts';

let panel: TestPanel;
beforeEach(async () => {
  panel = await openPanel();
});
afterEach(async () => {
  await panel.close();
});

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A target on this machine. */
async function target(respond: (response: ServerResponse) => void = (response) => response.end('thanks')) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      respond(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?key=1`, received };
}

const save = (body: object) => panel.done<Webhook>('/webhooks/save', body);
const hook = (url: string, more: object = {}) =>
  save({ name: 'ops', url, kinds: ['node.down'], allowPrivate: true, secret: 'shh', ...more });
const down = (name: string) => panel.parts.notifying.events.take('node.down', { nodeId: 1, name });
const attempts = (id: number) => panel.read<WebhookAttempt[]>(`/webhooks/attempts/${id}`);

describe('a webhook', () => {
  it('keeps both of two changes at once, and does not come back from one while it is deleted', async () => {
    const { id } = await hook('https://a.example/in');
    const { webhooks } = panel.parts.notifying;
    await Promise.all([webhooks.save({ id, name: 'other' }), webhooks.save({ id, kinds: ['node.up'] })]);
    expect(webhooks.list()).toMatchObject([{ name: 'other', kinds: ['node.up'] }]);
    await Promise.all([webhooks.save({ id, name: 'late' }), webhooks.delete(id)]);
    expect(webhooks.list()).toEqual([]);
  });

  it('gets the event as signed JSON, once, and no kind that it did not choose', async () => {
    const { url, received } = await target();
    const { id } = await hook(url);
    down('de-1');
    panel.parts.notifying.events.take('node.up', { nodeId: 1, name: 'de-1' });
    await panel.advance(10_000);
    expect(received).toHaveLength(1);
    const { headers, body } = received[0]!;
    const sent = JSON.parse(body) as { id: number };
    expect(sent).toEqual({
      id: expect.any(Number),
      kind: 'node.down',
      time: expect.any(Number),
      facts: { nodeId: 1, name: 'de-1' },
    });
    const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signature']))!;
    expect(Number(at) * 1_000).toBeLessThanOrEqual(panel.clock());
    expect(signature).toBe(createHmac('sha256', 'shh').update(`${at}.${body}`).digest('hex'));
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-event-id': String(sent.id) });
    expect(await attempts(id)).toMatchObject([{ kind: 'node.down', status: 200, answer: 'thanks', error: '' }]);
  });

  it('gets nothing while it is off, and CPU load only above its own threshold', async () => {
    const { url, received } = await target();
    const { id } = await hook(url, { kinds: ['cpu.high'], cpuPercent: 70 });
    const busy = async (...percents: number[]): Promise<void> => {
      for (const percent of percents) panel.parts.notifying.events.take('cpu.high', { percent });
      await panel.advance(10_000);
    };
    await busy(70, 71);
    // What waits when it is switched off stays here, too.
    panel.parts.notifying.events.take('cpu.high', { percent: 73 });
    await panel.advance(1_000);
    await save({ id, enabled: false });
    await busy(72);
    await save({ id, enabled: true, cpuPercent: 0 });
    await busy(100);
    expect(received.map(({ body }) => (JSON.parse(body) as StoredEvent).facts)).toEqual([{ percent: 71 }]);
  });

  it('shows the answer as it was written, however it arrives in pieces', async () => {
    const { url } = await target((response) => {
      const bytes = Buffer.from('Принято 📡');
      // Half of a letter, and the rest a moment later.
      response.write(bytes.subarray(0, 3));
      setTimeout(() => response.end(bytes.subarray(3)), 50);
    });
    const { id } = await hook(url);
    expect(await panel.done(`/webhooks/test/${id}`)).toMatchObject({ status: 200, answer: 'Принято 📡' });
  });

  it('never returns its secret, keeps it when left blank, and sends unsigned without one', async () => {
    const { url, received } = await target();
    const { id } = await hook(url);
    expect(await save({ id, name: 'new', secret: '' })).toEqual({
      id,
      name: 'new',
      url,
      enabled: true,
      kinds: ['node.down'],
      allowPrivate: true,
      cpuPercent: 80,
      hasSecret: true,
    });
    expect(JSON.stringify(await panel.get('/webhooks/list'))).not.toContain('shh');
    const stored = await panel.store.reader.selectFrom('webhooks').select('secret').executeTakeFirstOrThrow();
    expect(stored.secret).toMatch(/^v1:/);
    expect(await save({ id, clearSecret: true })).toMatchObject({ hasSecret: false });
    await panel.done(`/webhooks/test/${id}`);
    expect(received[0]!.headers['x-signature']).toBeUndefined();
  });

  it('is sent nothing unsigned when its secret cannot be opened any more', async () => {
    const { url, received } = await target();
    const { id } = await hook(url);
    panel.write('UPDATE webhooks SET secret = ?', 'sealed with another key');
    await panel.app.close();
    panel = await openPanel({ dataDir: panel.dataDir });
    expect(await panel.done(`/webhooks/test/${id}`)).toMatchObject({
      status: 0,
      error: expect.stringContaining('enter it again'),
    });
    await save({ id, secret: 'new' });
    expect(await panel.done(`/webhooks/test/${id}`)).toMatchObject({ status: 200 });
    expect(received).toHaveLength(1);
    expect(received[0]!.headers).toHaveProperty('x-signature');
  });

  it('may be in a private network only where that is allowed, also after a name or a redirect', async () => {
    const { url } = await target();
    const { id } = await hook(url, { allowPrivate: false });
    expect(await panel.done(`/webhooks/test/${id}`)).toMatchObject({
      status: 0,
      error: '127.0.0.1 is an address of an internal network',
    });
    await save({ id, url: url.replace('127.0.0.1', '2130706433') });
    expect(await panel.done(`/webhooks/test/${id}`)).toMatchObject({ status: 0 });
    const elsewhere = await target((response) => void response.writeHead(302, { location: url }).end());
    await save({ id, url: elsewhere.url, allowPrivate: true });
    expect(await panel.done(`/webhooks/test/${id}`)).toMatchObject({ status: 302 });
  });

  it('that fails is retried later, and each request is in the log', async () => {
    let status = 503;
    const { url, received } = await target((response) => void response.writeHead(status).end('<busy>'));
    const { id } = await hook(url);
    down('de-1');
    await panel.advance(5_000);
    status = 204;
    await panel.advance(30_000);
    expect(received.map(({ body }) => body)).toEqual([received[0]!.body, received[0]!.body]);
    expect(await attempts(id)).toMatchObject([{ status: 204 }, { status: 503, answer: '<busy>' }]);
    status = 410;
    down('de-2');
    await panel.advance(60_000);
    expect(await panel.read<Subscriber[]>('/events/subscribers')).toContainEqual(
      expect.objectContaining({ name: `webhook:${id}`, label: 'ops', dead: 1, waiting: 0, lastError: '410 <busy>' }),
    );
  });

  it('is sent an earlier delivery again on demand, and the log keeps the last hundred', async () => {
    const { url, received } = await target();
    const { id } = await hook(url);
    down('de-1');
    await panel.advance(10_000);
    const [first] = await attempts(id);
    expect(await panel.done(`/webhooks/resend/${first!.id}`)).toMatchObject({ status: 200, eventId: first!.eventId });
    expect(received[1]!.body).toBe(received[0]!.body);
    for (let i = 0; i < 101; i++) await panel.done(`/webhooks/test/${id}`);
    const log = await attempts(id);
    expect(log).toHaveLength(100);
    expect(log.every(({ kind }) => kind === 'test')).toBe(true);
    expect(await panel.post(`/webhooks/resend/${first!.id}`)).toMatchObject({
      error: { code: 'webhooks.unknownAttempt' },
    });
  });

  it('that responds endlessly, or not at all, blocks nobody', async () => {
    const endless = await target((response) => {
      const write = (): void =>
        void (response.writableLength < 1e6 && response.write('x'.repeat(1_000)) && setImmediate(write));
      response.on('drain', write);
      write();
    });
    const { id } = await hook(endless.url);
    expect(await panel.done<WebhookAttempt>(`/webhooks/test/${id}`)).toMatchObject({
      status: 200,
      answer: 'x'.repeat(1_000),
    });
    const silent = await target(() => {});
    await hook(silent.url, { name: 'silent' });
    down('de-1');
    await panel.advance(1_000);
    await panel.advance(5_000, { settle: false });
    await vi.waitFor(() => expect(endless.received).toHaveLength(2));
    await vi.waitFor(() => expect(silent.received).toHaveLength(1));
    expect(await panel.get('/webhooks/list')).toMatchObject({ success: true });
    await panel.app.close();
  });

  it('is deleted together with its waiting deliveries', async () => {
    const { url, received } = await target();
    const { id } = await hook(url);
    down('de-1');
    await panel.advance(1_000);
    await panel.done(`/webhooks/delete/${id}`);
    await panel.advance(10_000);
    expect(received).toEqual([]);
    expect(await panel.store.reader.selectFrom('deliveries').selectAll().execute()).toEqual([]);
    expect(await panel.post(`/webhooks/test/${id}`)).toMatchObject({ error: { code: 'webhooks.unknown' } });
  });

  it.each([
    ['no name', { name: ' ' }, 'webhooks.nameRequired'],
    ['no address', { url: '' }, 'webhooks.url'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'webhooks.url'],
    ['a password in its address', { url: 'https://a:b@example.com/' }, 'webhooks.url'],
  ])('is refused with %s', async (_what, change, code) => {
    const body = { name: 'ops', url: 'https://example.com/', ...change };
    expect(await panel.post('/webhooks/save', body)).toMatchObject({ success: false, error: { code } });
    expect(await panel.read('/webhooks/list')).toEqual([]);
  });

  it('is limited in number', async () => {
    for (let i = 0; i < 20; i++) await save({ name: `n${i}`, url: 'https://example.com/' });
    expect(await panel.post('/webhooks/save', { name: 'n', url: 'https://example.com/' })).toMatchObject({
      error: { code: 'webhooks.tooMany', params: { max: 20 } },
    });
  });
});
