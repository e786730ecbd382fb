import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { manualSchedule } from '../../testing/manual-schedule.ts';
import { createTrunkAcceptor } from './trunk-stream.ts';
import { listening, portOf } from '../../testing/peers/local-server.ts';

const BETWEEN_PINGS_MS = 20_000;
/** First byte of a ping without content. */
const PING = 0x89;
/** Frames of a client, with a mask of zeros: a pong, and one byte of data. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const DATA = Buffer.from([0x82, 0x81, 0, 0, 0, 0, 1]);

it('keeps a trunk whose other side answers pings, and ends it at the first ping after one without an answer', async () => {
  const time = manualSchedule();
  const accept = createTrunkAcceptor(time.schedule);
  const server = createServer();
  await listening(server);
  const opened = new Promise<Duplex>((resolve) =>
    server.on('upgrade', (request, socket, head) => accept(request, socket, head, resolve)),
  );
  // Completes the upgrade, and answers only the first ping.
  const peer = connect(portOf(server), '127.0.0.1');
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
  peer.write(`GET /trunk HTTP/1.1\r\nHost: h\r\n${upgrade}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
  const [response] = (await once(peer, 'data')) as [Buffer];
  // The other side uses it to compare the clocks.
  expect(response.toString()).toMatch(/^HTTP\/1\.1 101 [^]*\r\nDate: .* GMT\r\n/);
  const stream = await opened;
  const nextPing = async (): Promise<void> => {
    const [[ping]] = (await Promise.all([once(peer, 'data'), time.advance(BETWEEN_PINGS_MS)])) as [[Buffer], void];
    expect(ping[0]).toBe(PING);
  };
  await nextPing();
  // What comes after the pong has arrived with it.
  const arrived = once(stream, 'data');
  peer.write(Buffer.concat([PONG, DATA]));
  await arrived;
  await nextPing();
  const closed = once(stream, 'close');
  await time.advance(BETWEEN_PINGS_MS);
  await closed;
  peer.destroy();
  server.close();
});
