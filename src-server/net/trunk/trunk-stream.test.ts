import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { manualSchedule } from '../../testing/manual-schedule.ts';
import { createTrunkAcceptor } from './trunk-stream.ts';
import { listening, portOf } from '../../testing/peers/local-server.ts';

const BETWEEN_PINGS_MS = 20_000;

it('ends a trunk whose other side vanished, between two pings', async () => {
  const time = manualSchedule();
  const accept = createTrunkAcceptor(time.schedule);
  const server = createServer();
  await listening(server);
  const opened = new Promise<Duplex>((resolve) =>
    server.on('upgrade', (request, socket, head) => accept(request, socket, head, resolve)),
  );
  // Completes the upgrade, then answers no ping.
  const silent = connect(portOf(server), '127.0.0.1');
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
  silent.write(`GET /trunk HTTP/1.1\r\nHost: h\r\n${upgrade}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
  const [answer] = (await once(silent, 'data')) as [Buffer];
  // The other side uses it to compare the clocks.
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 101 [^]*\r\nDate: .* GMT\r\n/);
  const stream = await opened;
  await time.advance(BETWEEN_PINGS_MS);
  expect(stream.destroyed).toBe(false);
  const closed = once(stream, 'close');
  await time.advance(BETWEEN_PINGS_MS);
  await closed;
  silent.destroy();
  server.close();
});
