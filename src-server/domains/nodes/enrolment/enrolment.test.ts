import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runAdmin } from '../../../cli/admin/run-admin.ts';
import { readTicket, writeTicket } from '../../../net/trunk/ticket.ts';
import { openPanel, type TestPanel } from '../../../testing/panels/open-panel.ts';
import { beside } from '../../../testing/postgres/databases.ts';
import type { Node } from '../contract.ts';
import type { Enrolment } from './contract.ts';

const MINUTE_MS = 60_000;
const PATIENT = { timeout: 20_000, interval: 20 };
const LONG_AGO_MS = 500 * 86_400_000;
/** A node that is removed again. */
const GONE = { name: 'gone', scheme: 'http', address: 'node.example', port: 1, apiToken: 'x' } as const;

let master: TestPanel;
let node: TestPanel;
beforeAll(async () => {
  // Certificates issued at this time are due for renewal today.
  const startMs = Date.now() - LONG_AGO_MS;
  [master, node] = await Promise.all([
    openPanel({ startMs, panelGuid: 'guid-of-the-master' }),
    openPanel({ startMs, panelGuid: 'guid-of-the-node' }),
  ]);
});
afterAll(async () => {
  await node.close();
  await master.close();
});

/** The command, run on the host of a panel. */
async function admin(panel: TestPanel, ...args: string[]): Promise<{ code: number; said: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const umask = process.umask();
  const code = await beside(panel.dataDir, () =>
    runAdmin(['--data-dir', panel.dataDir, ...args], { ...process, stdout, stderr } as never),
  );
  process.umask(umask);
  stdout.end();
  stderr.end();
  return { code, said: (await text(stdout)) + (await text(stderr)) };
}
/** A way to a port of this machine that is closed until it is released. */
async function openGate(port: number) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = createServer((from) => {
    reached.resolve();
    void released.promise.then(() => {
      const to = connect(port, '127.0.0.1');
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const)
        one.on('error', () => other.destroy()).pipe(other);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    reached: reached.promise,
    release: () => released.resolve(),
    close: () => server.close(),
  };
}
const ticketOf = (panel: TestPanel, more: object = {}) =>
  panel.done<{ enrolment: Enrolment; ticket: string }>('/nodes/enrolments/create', more);
const enrolmentOf = (id: string) => master.read<Enrolment>(`/nodes/enrolments/get/${id}`);
const openTickets = () => master.read<Enrolment[]>('/nodes/enrolments/list');
const nodes = () => master.read<Node[]>('/nodes/list');
/** Waits until the node has dialled, which happens when its clock advances. */
const connected = (id: number): Promise<Node> =>
  vi.waitFor(async () => {
    await node.advance(3_000);
    const found = (await nodes()).find((each) => each.id === id);
    expect(found).toMatchObject({ status: 'online', dialledBy: 'node' });
    return found!;
  }, PATIENT);

it('rejects a ticket that is incomplete, forged, of another master, cancelled or expired', async () => {
  const { ticket, enrolment } = await ticketOf(master);
  expect(await openTickets()).toEqual([enrolment]);
  expect(enrolment.createdAt).toBe(master.clock());
  const known = readTicket(ticket)!;
  const other = readTicket((await ticketOf(node)).ticket)!;
  for (const [bad, said] of [
    [ticket.slice(0, -8), 'no whole ticket'],
    [writeTicket({ ...known, secret: known.secret.replace(/./g, '0') }), 'not the one that this panel has made'],
    [writeTicket({ ...known, id: other.id }), 'no such ticket'],
    [writeTicket({ ...known, authority: other.authority }), 'not the one that made this ticket'],
    [writeTicket({ ...known, url: 'http://127.0.0.1:1/' }), 'is not reached from here'],
    [writeTicket({ ...known, url: `${known.url}elsewhere/` }), 'is no panel that takes hosts'],
  ] as const) {
    expect(await admin(node, 'enroll', bad)).toEqual({ code: 1, said: expect.stringContaining(said) as string });
  }
  // The page shows why the host with this ticket was rejected.
  expect(await enrolmentOf(enrolment.id)).toMatchObject({
    state: 'open',
    attempt: {
      address: '127.0.0.1',
      refusal: { code: expect.stringMatching(/^enrolment\.(forged|ended)$/) as string },
    },
  });

  await master.done(`/nodes/enrolments/cancel/${enrolment.id}`);
  expect(await openTickets()).toEqual([]);
  expect((await admin(node, 'enroll', ticket)).said).toContain('was taken back');
  const ofGone = await ticketOf(master, { nodeId: await master.nodes.add(GONE) });
  await master.done(`/nodes/del/${ofGone.enrolment.nodeId}`);
  expect((await admin(node, 'enroll', ofGone.ticket)).said).toContain('node not found');
  expect(await master.post('/nodes/enrolments/create', { nodeId: 99 })).toMatchObject({ msg: 'node not found' });
  const late = await ticketOf(master);
  expect(await openTickets()).toHaveLength(2);
  master.jumpClock(31 * MINUTE_MS);
  expect(await openTickets()).toEqual([]);
  expect((await admin(node, 'enroll', late.ticket)).said).toContain('older than 30 minutes');
  expect(await enrolmentOf(late.enrolment.id)).toMatchObject({
    state: 'expired',
    attempt: { refusal: { code: 'enrolment.expired' } },
  });
  master.jumpClock(-31 * MINUTE_MS);
  expect([await nodes(), (await admin(node, 'master', 'list')).said]).toEqual([[], '']);
});

it('turns a host into a node with one ticket, once, which then connects by itself', async () => {
  const { ticket, enrolment } = await ticketOf(master, { name: 'far away' });
  const enrolled = await admin(node, 'enroll', ticket);
  expect(enrolled).toEqual({ code: 0, said: expect.stringContaining('is node far away of 127.0.0.1:') as string });
  expect((await admin(node, 'enroll', ticket)).said).toContain('has been used already');

  const { state, nodeId } = await enrolmentOf(enrolment.id);
  expect(state).toBe('used');
  const found = await connected(nodeId);
  expect(found).toMatchObject({
    name: 'far away',
    guid: 'guid-of-the-node',
    tlsVerifyMode: 'enrolled',
    hasApiToken: false,
  });
  // The port of the command line, not the stored one.
  await vi.waitFor(async () => {
    const [{ port } = { port: 0 }] = await nodes();
    expect(port).toBe(Number(new URL(node.app.panel.url).port));
  }, PATIENT);
  // The ticket is stored as a hash, the node's key encrypted under the key of its folder.
  const { rows } = { rows: await master.store.reader.selectFrom('enrolments').selectAll().execute() };
  expect(JSON.stringify(rows)).not.toContain(readTicket(ticket)!.secret);
  const [kept] = await node.store.reader.selectFrom('masters').selectAll().execute();
  expect(kept!.key).toMatch(/^v1:/);
});

it('is reached through its trunk like any other node', async () => {
  const [{ id } = { id: 0 }] = await nodes();
  const inboundId = await master.inbound(4443, { nodeId: id });
  await master.add({ email: 'alice' }, [inboundId]);
  await vi.waitFor(async () => {
    await master.tick();
    await node.advance(3_000);
    expect(await node.read<unknown[]>('/inbounds/list')).toMatchObject([
      { port: 4443, clientStats: [{ email: 'alice' }] },
    ]);
  }, PATIENT);
  // More concurrent calls than there are connections, and more bytes than a window holds.
  const responses = await Promise.all(Array.from({ length: 20 }, () => master.post(`/nodes/probe/${id}`)));
  expect(responses.every(({ success }) => success)).toBe(true);
});

it('survives certificate renewals on both sides, restarts of either, and address changes', async () => {
  const [{ id } = { id: 0 }] = await nodes();
  const certificate = async () => (await node.store.reader.selectFrom('masters').selectAll().execute())[0]!.certificate;
  const shown = () => master.parts.base.settings.hidden('nodeMtlsClientCertSha256');
  const before = [await certificate(), await shown()];
  for (const panel of [master, node]) panel.jumpClock(LONG_AGO_MS);
  for (const key of ['nodeMtlsClientCertPem', 'nodeMtlsClientKeyPem', 'nodeMtlsClientCertSha256'] as const)
    await master.parts.base.settings.setHidden(key, '');

  // The node restarts: it dials with its old certificate and gets the next one through the trunk.
  const { dataDir } = node;
  await node.app.close();
  node = await openPanel({ dataDir, startMs: Date.now() });
  await connected(id);
  await vi.waitFor(async () => expect(await certificate()).not.toBe(before[0]), PATIENT);
  await node.app.close();
  node = await openPanel({ dataDir, startMs: Date.now() });
  await connected(id);
  expect(await shown()).not.toBe(before[1]);

  // The master restarts on another port: its node cannot find it, so it dials the node.
  const stored = await master.read<Node>(`/nodes/get/${id}`);
  const folder = master.dataDir;
  await master.app.close();
  master = await openPanel({ dataDir: folder, startMs: Date.now() });
  const port = Number(new URL(node.app.panel.url).port);
  const { name, scheme, address, tlsVerifyMode } = stored;
  const place = { name, scheme, address, tlsVerifyMode, port, allowPrivateAddress: true };
  await master.done(`/nodes/update/${id}`, place);
  expect(await master.done(`/nodes/probe/${id}`)).toMatchObject({ status: 'online', error: '' });
  expect(await nodes()).toMatchObject([{ status: 'online', dialledBy: 'panel' }]);

  // A node that is disabled while it is dialled is not kept; probed by hand, it is called disabled.
  const gate = await openGate(port);
  await master.done(`/nodes/update/${id}`, { ...place, port: gate.port, enable: false });
  await master.done(`/nodes/setEnable/${id}`, { enable: true });
  const dialled = master.done<{ status: string; error: string }>(`/nodes/probe/${id}`);
  await gate.reached;
  await master.done(`/nodes/setEnable/${id}`, { enable: false });
  gate.release();
  expect(await dialled).toMatchObject({ status: 'offline', error: expect.stringContaining('is disabled') as string });
  expect(await nodes()).toMatchObject([{ enable: false, dialledBy: '' }]);
  expect(await master.done(`/nodes/probe/${id}`)).toMatchObject({ status: 'offline', error: 'the node is disabled' });
  gate.close();
  await master.done(`/nodes/setEnable/${id}`, { enable: true });

  // Another panel answers there: nothing is sent to it.
  const stranger = await openPanel({ startMs: Date.now() });
  await master.done(`/nodes/update/${id}`, { ...place, port: Number(new URL(stranger.app.panel.url).port) });
  await node.app.close();
  await vi.waitFor(async () => {
    const probed = await master.done<{ status: string; error: string }>(`/nodes/probe/${id}`);
    expect(probed).toMatchObject({ status: 'offline', error: expect.stringContaining('is not this node') as string });
  }, PATIENT);
  await stranger.close();

  // With another ticket it enrols again, as the same node; the ticket carries the master's new address.
  node = await openPanel({ dataDir, startMs: Date.now() });
  const { ticket } = await ticketOf(master, { nodeId: id });
  const another = await openPanel({ startMs: Date.now(), panelGuid: 'guid-of-another' });
  expect((await admin(another, 'enroll', ticket)).said).toContain('is for node far away');
  await another.close();
  expect((await admin(node, 'enroll', ticket)).said).toContain('is node far away of');
  expect(await nodes()).toMatchObject([{ status: 'unknown' }]);
  await connected(id);

  // The master announces its new address before it moves; its node finds it at both.
  const here = master.app.panel.url;
  const soon = here.replace('127.0.0.1', 'localhost');
  const masters = async () => node.store.reader.selectFrom('masters').select(['url', 'formerUrl']).execute();
  expect(await master.done('/nodes/enrolments/moved', { url: `${soon}panel/nodes` })).toEqual({
    told: [id],
    waiting: [],
  });
  expect(await masters()).toEqual([{ url: soon, formerUrl: here }]);
  await master.done('/nodes/enrolments/moved', { url: 'http://127.0.0.1:1/' });
  expect(await masters()).toEqual([{ url: 'http://127.0.0.1:1/', formerUrl: soon }]);
  const folderOfNode = node.dataDir;
  await node.app.close();
  node = await openPanel({ dataDir: folderOfNode, startMs: Date.now() });
  await connected(id);
  // A node that was disconnected gets it when it connects.
  await master.parts.base.settings.setHidden('nodesFindPanelAt', here);
  await node.app.close();
  node = await openPanel({ dataDir: folderOfNode, startMs: Date.now() });
  await connected(id);
  await vi.waitFor(async () => expect((await masters())[0]?.url).toBe(here), PATIENT);
  // A node that could not be notified gets it by command, while its panel runs.
  await master.parts.base.settings.setHidden('nodesFindPanelAt', '');
  const [known] = await node.store.reader.selectFrom('masters').selectAll().execute();
  for (const bad of ['ftp://a.example/', 'nowhere'])
    expect((await admin(node, 'master', 'move', known!.name, bad)).code).toBe(1);
  expect(await admin(node, 'master', 'move', known!.name, soon)).toEqual({ code: 0, said: '' });
  expect(await masters()).toEqual([{ url: soon, formerUrl: here }]);
  await connected(id);

  expect((await admin(node, 'doctor')).said).toMatch(/The master localhost:\d+ answers at .* its clock agrees/);

  // The node ends the enrolment itself.
  expect(await admin(node, 'master', 'remove', new URL(soon).host)).toEqual({ code: 0, said: '' });
  await vi.waitFor(async () => {
    await node.advance(3_000);
    expect(await nodes()).toMatchObject([{ dialledBy: '' }]);
  }, PATIENT);
});

it.each(['/mypanel/', '/panel/'])('names a panel under the base path %s as a whole', async (base) => {
  const { dataDir, write, app } = await openPanel();
  write(`INSERT INTO settings (key, value) VALUES ('webBasePath', ?)`, base);
  await app.close();
  const panel = await openPanel({ dataDir });
  const own = panel.app.panel.url;
  const urlFor = async (url: string): Promise<string> => (await ticketOf(panel, { url })).enrolment.url;
  expect(await urlFor('')).toBe(own);
  // The base, or the address of a page; here, and where this panel is to be.
  expect(await urlFor(own)).toBe(own);
  expect(await urlFor(`${own}panel/nodes?enrol=new`)).toBe(own);
  expect(await urlFor('https://panel.example.com/a-panel')).toBe('https://panel.example.com/a-panel/');
  expect(await urlFor('https://panel.example.com/deep/panel/nodes')).toBe('https://panel.example.com/deep/');
  await panel.close();
});
