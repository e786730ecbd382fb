import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { inbound } from '../../testing/core/core-bench.ts';
import { freePort } from '../../testing/free-port.ts';
import { listening, shut } from '../../testing/peers/local-server.ts';
import { portInUse } from './listen-places.ts';

test('a port is in use while another program listens there with a transport of the inbound', async () => {
  const server = createServer();
  const port = await listening(server);
  expect(await portInUse(inbound(port))).toBe(`listen tcp 127.0.0.1:${port}: bind: address already in use`);
  for (const listen of ['', '0.0.0.0', '::'])
    expect(await portInUse(inbound(port, { listen }))).toContain('listen tcp');
  expect(await portInUse(inbound(port, { listen: '/run/x.sock' }))).toBe('');
  await shut(server);
  expect(await portInUse(inbound(port))).toBe('');

  const udpPort = await freePort();
  const udp = createSocket('udp4').bind(udpPort, '127.0.0.1');
  await once(udp, 'listening');
  expect(await portInUse(inbound(udpPort))).toBe('');
  for (const listen of ['127.0.0.1', ''])
    expect(await portInUse(inbound(udpPort, { listen, protocol: 'wireguard' }))).toContain('listen udp');
  await new Promise<void>((done) => udp.close(done));
  expect(await portInUse(inbound(udpPort, { listen: '', protocol: 'wireguard' }))).toBe('');
});

test('an address that this machine does not have is for the core to report', async () => {
  expect(await portInUse(inbound(40_000, { listen: '203.0.113.9' }))).toBe('');
});
