import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startInboundPanel, vlessBody, type InboundPanel } from '../../../testing/panels/inbound-panel.ts';
import { sharedTransports, type Listener } from './port-conflicts.ts';
import { findForeignUse } from '../../../net/port-probe.ts';
import { baseTag, isGeneratedTag, pickTag } from './tags.ts';
import { listening, portOf, shut } from '../../../testing/peers/local-server.ts';

const place = (listen: string, transports: Listener['transports'] = ['tcp'], port = 443): Listener => ({
  listen,
  transports,
  port,
  nodeId: null,
  serverId: null,
});

describe('sharedTransports', () => {
  it.each([
    ['', '', ['tcp']],
    ['', '1.2.3.4', ['tcp']],
    ['0.0.0.0', '::', ['tcp']],
    ['::0', '10.0.0.1', ['tcp']],
    ['1.2.3.4', '1.2.3.4', ['tcp']],
    ['1.2.3.4', '5.6.7.8', []],
    ['::1', '0:0:0:0:0:0:0:1', ['tcp']],
    ['', '/run/a.sock', []],
    ['/run/a.sock', '/run/a.sock,0660', ['tcp']],
    ['/run/a.sock', '/run/b.sock', []],
  ])('%j and %j share %j', (a, b, shared) => {
    expect(sharedTransports(place(a), place(b))).toEqual(shared);
    expect(sharedTransports(place(b), place(a))).toEqual(shared);
  });

  it('distinguishes ports, transports and machines', () => {
    expect(sharedTransports(place('', ['tcp']), place('', ['udp']))).toEqual([]);
    expect(sharedTransports(place('', ['tcp', 'udp']), place('', ['udp']))).toEqual(['udp']);
    expect(sharedTransports(place('', ['tcp'], 443), place('', ['tcp'], 444))).toEqual([]);
    expect(sharedTransports(place(''), { ...place(''), nodeId: 2 })).toEqual([]);
    const on = (serverId: string | null): Listener => ({ ...place(''), serverId });
    expect(sharedTransports(on('a'), on('b'))).toEqual([]);
    expect(sharedTransports(on('a'), on('a'))).toEqual(['tcp']);
    // The active panel may be on any machine.
    expect(sharedTransports(on('a'), on(null))).toEqual(['tcp']);
  });
});

describe('tags', () => {
  const at = { port: 443, transports: ['udp', 'tcp'] as const, nodeId: null };

  it('name the place', () => {
    expect(baseTag(at)).toBe('in-443-tcpudp');
    expect(baseTag({ ...at, nodeId: 7 })).toBe('n7-in-443-tcpudp');
    expect(isGeneratedTag('in-443-tcp-12', 'in-443-tcp')).toBe(true);
    expect(isGeneratedTag('in-443-tcp-a', 'in-443-tcp')).toBe(false);
    expect(isGeneratedTag('in-443-tcpudp', 'in-443-tcp')).toBe(false);
  });

  it('count up to 99 and then fail', async () => {
    const taken = new Set(['in-443-tcpudp', 'in-443-tcpudp-2']);
    const pick = (wanted: string) => pickTag(wanted, at, async (tag) => taken.has(tag));
    expect(await pick('')).toBe('in-443-tcpudp-3');
    expect(await pick('own')).toBe('own');
    for (let suffix = 3; suffix <= 99; suffix++) taken.add(`in-443-tcpudp-${suffix}`);
    await expect(pick('')).rejects.toMatchObject({ code: 'inbound.tagExhausted', params: { port: 443 } });
  });
});

/** A UDP listener on a port not used by another program for TCP, which other tests may use. */
async function listenUdpAlone() {
  for (;;) {
    const tcp = createServer();
    await listening(tcp);
    const udp = createSocket('udp4');
    udp.bind(portOf(tcp), '127.0.0.1');
    const isFree = await once(udp, 'listening').then(
      () => true,
      () => false,
    );
    await shut(tcp);
    if (isFree) return { udp, udpPort: udp.address().port };
    udp.close();
  }
}

describe('findForeignUse', () => {
  it('finds TCP and UDP listeners of other programs, on one address and on all', async () => {
    const tcp = createServer();
    const tcpPort = await listening(tcp);
    const { udp, udpPort } = await listenUdpAlone();
    expect(await findForeignUse('127.0.0.1', tcpPort, ['tcp'])).toBe('tcp');
    expect(await findForeignUse('', tcpPort, ['udp', 'tcp'])).toBe('tcp');
    expect(await findForeignUse('127.0.0.1', udpPort, ['tcp', 'udp'])).toBe('udp');
    expect(await findForeignUse('/run/x.sock', tcpPort, ['tcp'])).toBeNull();
    tcp.close();
    udp.close();
    await Promise.all([once(tcp, 'close'), once(udp, 'close')]);
    expect(await findForeignUse('127.0.0.1', tcpPort, ['tcp'])).toBeNull();
    // The probe leaves nothing behind.
    expect(await findForeignUse('', tcpPort, ['tcp', 'udp'])).toBeNull();
    expect(await findForeignUse('', tcpPort, ['tcp', 'udp'])).toBeNull();
  });

  it('leaves an address of another machine to the core', async () => {
    expect(await findForeignUse('203.0.113.9', 40_000, ['tcp', 'udp'])).toBeNull();
  });
});

describe('ports over HTTP', () => {
  let panel: InboundPanel;
  afterEach(() => panel.close());
  const hysteria = (port: number) => ({
    ...vlessBody(port),
    protocol: 'hysteria',
    settings: { version: 2 },
    streamSettings: {
      network: 'hysteria',
      security: 'tls',
      hysteriaSettings: { version: 2 },
      tlsSettings: { certificates: [{ certificateFile: '/c', keyFile: '/k' }] },
    },
    enable: false,
  });

  it('reports to a form whether a place is free, without changing anything', async () => {
    panel = await startInboundPanel();
    const own = await panel.added(vlessBody(443, { remark: 'mine' }));
    expect(await panel.post('/checkPlace', vlessBody(443))).toMatchObject({
      success: false,
      msg: `port 443 (tcp) already used by inbound 'mine' (#${own.id}) on *`,
    });
    expect(await panel.post('/checkPlace', { ...vlessBody(443), id: own.id })).toMatchObject({ success: true });
    expect(await panel.post('/checkPlace', hysteria(443))).toMatchObject({ success: true });
    expect(await panel.post('/checkPlace', vlessBody(0))).toMatchObject({ obj: { issues: [{ field: 'port' }] } });
  });

  it('refuses a place in use and names its owner', async () => {
    panel = await startInboundPanel();
    await panel.added(vlessBody(443, { remark: 'VLESS-443' }));
    await panel.added(vlessBody(444, { listen: '127.0.0.1' }));
    expect(await panel.post('/add', vlessBody(443))).toMatchObject({
      success: false,
      msg: "port 443 (tcp) already used by inbound 'VLESS-443' (#1) on *",
      obj: null,
    });
    expect((await panel.post('/add', vlessBody(443, { listen: '10.0.0.1', enable: false }))).msg).toBe(
      "port 443 (tcp) already used by inbound 'VLESS-443' (#1) on *",
    );
    expect((await panel.post('/add', vlessBody(444))).msg).toBe(
      "port 444 (tcp) already used by inbound 'in-444-tcp' (#2) on 127.0.0.1",
    );
    expect(await panel.rowCount()).toBe(2);
  });

  it('lets TCP and UDP, and two addresses, share a port', async () => {
    panel = await startInboundPanel();
    await panel.added(vlessBody(443));
    expect((await panel.added(hysteria(443))).tag).toBe('in-443-udp');
    await panel.added(vlessBody(8443, { listen: '1.2.3.4' }));
    expect((await panel.added(vlessBody(8443, { listen: '5.6.7.8' }))).tag).toBe('in-8443-tcp-2');
    const both = { ...vlessBody(443), protocol: 'mixed', settings: { auth: 'noauth', udp: true } };
    expect((await panel.post('/add', both)).msg).toContain('port 443 (tcp) already used by inbound');
  });

  it('gives the port to one of two concurrent adds', async () => {
    panel = await startInboundPanel();
    const responses = await Promise.all([1, 2, 3].map((n) => panel.post('/add', vlessBody(443, { remark: `r${n}` }))));
    expect(responses.filter(({ success }) => success)).toHaveLength(1);
    expect(
      responses.filter(({ msg }) => /^port 443 \(tcp\) already used by inbound 'r\d' \(#1\) on \*$/.test(msg)),
    ).toHaveLength(2);
    expect(await panel.rowCount()).toBe(1);
  });

  it('reserves ports of the panel and of the core', async () => {
    panel = await startInboundPanel();
    panel.runtime.reservedPorts = () => [{ port: 62_789, use: 'core API' }];
    expect((await panel.post('/add', vlessBody(2053))).msg).toBe(
      'port 2053 (tcp) already used by this panel: the web interface',
    );
    expect((await panel.post('/add', vlessBody(62_789))).msg).toBe(
      'port 62789 (tcp) already used by the core API on 127.0.0.1',
    );
    expect((await panel.post('/add', vlessBody(62_789, { listen: '10.1.1.1' }))).success).toBe(true);
    expect((await panel.post('/add', hysteria(2053))).success).toBe(true);
  });

  it('leaves inbounds of the core template their ports and tags', async () => {
    panel = await startInboundPanel();
    await panel.setTemplate({
      inbounds: [
        { tag: 'names', port: '5300-5310', protocol: 'dokodemo-door', settings: { network: 'udp' } },
        { tag: 'by-hand', listen: '127.0.0.1', port: 444, protocol: 'socks' },
      ],
    });
    expect((await panel.post('/add', vlessBody(444))).msg).toBe(
      'port 444 (tcp) already used by inbound by-hand of the core template on 127.0.0.1',
    );
    expect((await panel.post('/add', hysteria(5305))).msg).toContain('already used by inbound names');
    await panel.added(vlessBody(5305));
    const { id, tag } = await panel.added(vlessBody(445, { tag: 'by-hand' }));
    expect(tag).toBe('in-445-tcp');
    expect((await panel.post(`/update/${id}`, vlessBody(444))).success).toBe(false);
    expect((await panel.post('/checkPlace', vlessBody(444))).success).toBe(false);
    // One that was there before, and is off, can be edited; turned on it would clash.
    const off = await panel.added(vlessBody(446, { enable: false }));
    await panel.setTemplate({ inbounds: [{ tag: 'by-hand', port: '446,448', protocol: 'socks' }] });
    const edited = (enable: boolean) => vlessBody(446, { remark: 'Spare', enable });
    const check = (body: object) => panel.post('/checkPlace', { ...body, id: off.id });
    const { enable: _, ...unsaid } = edited(false);
    expect((await check(edited(false))).success).toBe(true);
    expect((await check(unsaid)).success).toBe(true);
    expect((await panel.post(`/update/${off.id}`, edited(false))).success).toBe(true);
    const clash = { error: { code: 'inbound.portOfTemplate', params: { port: 446 } } };
    expect(await check(edited(true))).toMatchObject(clash);
    expect(await panel.post(`/update/${off.id}`, edited(true))).toMatchObject(clash);
    expect(await panel.post(`/setEnable/${off.id}`, { enable: true })).toMatchObject(clash);
    expect((await check(vlessBody(448, { enable: false }))).error).toMatchObject({ params: { port: 448 } });
    // One that is on keeps the place that it has.
    const on = await panel.added(vlessBody(447));
    await panel.setTemplate({ inbounds: [{ tag: 'by-hand', port: 447, protocol: 'socks' }] });
    expect((await panel.post('/checkPlace', vlessBody(447, { id: on.id, enable: true }))).success).toBe(true);
  });

  it('refuses a port of another program, only for inbounds that run here', async () => {
    panel = await startInboundPanel({ app: { findForeignUse } });
    const other = createServer();
    const port = await listening(other);
    const body = vlessBody(port, { listen: '127.0.0.1' });
    expect((await panel.post('/add', body)).msg).toBe(
      `port ${port} (tcp) is used by another program on this machine; choose another port or stop that program`,
    );
    const { id } = await panel.added({ ...body, enable: false });
    expect((await panel.post(`/setEnable/${id}`, { enable: true })).success).toBe(false);
    await shut(other);
    expect((await panel.post(`/setEnable/${id}`, { enable: true })).success).toBe(true);
  });

  it('does not mistake our own core for another program when the port stays', async () => {
    panel = await startInboundPanel({ app: { findForeignUse } });
    const core = createServer();
    const port = await listening(core);
    await shut(core);
    const body = vlessBody(port, { listen: '127.0.0.1' });
    const { id } = await panel.added(body);
    // From now on the core uses the port.
    core.listen(port, '127.0.0.1');
    await once(core, 'listening');
    expect((await panel.post(`/update/${id}`, { ...body, remark: 'new' })).success).toBe(true);
    expect((await panel.post(`/update/${id}`, { ...body, listen: '' })).success).toBe(true);
    await shut(core);
  });
});
