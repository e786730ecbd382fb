import { createServer, type Http2Server, type ServerHttp2Stream, type Settings } from 'node:http2';
import { createServer as createSocketServer } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import { afterEach, expect, test } from 'vitest';
import { CoreApiError } from './api-error.ts';
import { openChannel, type CoreChannel } from './channel.ts';
import { SysStatsResponseSchema, StatsService } from './generated/app/stats/command/command_pb.ts';
import { framed } from './grpc-frame.ts';
import { listening, portOf } from '../../testing/peers/local-server.ts';

type Respond = (stream: ServerHttp2Stream, path: string) => void;

const { getSysStats } = StatsService.method;
const opened: { close(): void }[] = [];

afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/** A gRPC server on a free port, or on a given one. */
async function serve(respond: Respond, port = 0, settings: Settings = {}) {
  const streams = new Set<ServerHttp2Stream>();
  const server: Http2Server = createServer({ settings });
  server.on('stream', (stream, headers) => {
    streams.add(stream);
    stream.on('error', () => undefined);
    stream.resume();
    stream.once('end', () => respond(stream, String(headers[':path'])));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const end = (): void => {
    for (const { session } of streams) session?.destroy();
    server.close();
  };
  opened.push({ close: end });
  return { port: portOf(server), end };
}

function open(port: number): CoreChannel {
  const channel = openChannel({ kind: 'tcp', port });
  opened.push(channel);
  return channel;
}

/** A response as the core sends it: a message, then the status in the trailers. */
const uptime =
  (seconds: number): Respond =>
  (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    const message = framed(toBinary(SysStatsResponseSchema, create(SysStatsResponseSchema, { Uptime: seconds })));
    // In two parts: a message may be split anywhere.
    stream.write(message.subarray(0, 3));
    stream.end(message.subarray(3));
  };

const refusal =
  (state: number, text: string): Respond =>
  (stream) =>
    stream.respond({ ':status': 200, 'grpc-status': String(state), 'grpc-message': text }, { endStream: true });

test('parallel calls get their responses', async () => {
  let received = 0;
  const { port } = await serve((stream, path) => {
    expect(path).toBe('/xray.app.stats.command.StatsService/GetSysStats');
    received += 1;
    uptime(received)(stream, path);
  });
  const channel = open(port);
  const responses = await Promise.all(Array.from({ length: 300 }, () => channel.call(getSysStats, {}, 5_000)));
  expect(new Set(responses.map(({ Uptime }) => Uptime)).size).toBe(300);
});

test('never sends more calls at a time than the core accepts', async () => {
  let open = 0;
  let most = 0;
  const { port } = await serve(
    (stream, path) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        uptime(1)(stream, path);
      });
    },
    0,
    { maxConcurrentStreams: 5 },
  );
  const channel = openChannel({ kind: 'tcp', port });
  opened.push(channel);
  // The limit is known from the first response on.
  await channel.call(getSysStats, {}, 5_000);
  await Promise.all(Array.from({ length: 100 }, () => channel.call(getSysStats, {}, 5_000)));
  expect(most).toBe(5);
});

test.each([
  [2, 'proxy/vless: User a%40x already exists.', 'userExists', 'proxy/vless: User a@x already exists.'],
  [2, '100%', 'refused', '100%'],
  [5, 'nothing here', 'notFound', 'nothing here'],
  [12, 'unknown service', 'unimplemented', 'unknown service'],
  [14, 'closing', 'gone', 'closing'],
])('status %i with %j is %s', async (state, text, code, message) => {
  const { port } = await serve(refusal(state, text));
  await expect(open(port).call(getSysStats, {}, 5_000)).rejects.toMatchObject({ code, message });
});

test('a call to a core that hangs ends at the deadline, and the connection stays', async () => {
  let isHanging = true;
  const { port } = await serve((stream, path) => {
    if (!isHanging) uptime(7)(stream, path);
  });
  const channel = open(port);
  await expect(channel.call(getSysStats, {}, 30)).rejects.toMatchObject({ code: 'timeout' });
  isHanging = false;
  expect((await channel.call(getSysStats, {}, 5_000)).Uptime).toBe(7);
});

test('a call that the core breaks off while it is being written ends at the deadline', async () => {
  const server = createServer();
  opened.push({ close: () => server.close() });
  server.on('session', (session) => opened.push({ close: () => session.destroy() }));
  server.on('stream', (stream) => stream.close());
  await listening(server);
  const { queryStats } = StatsService.method;
  const call = open(portOf(server)).callRaw(queryStats, { pattern: 'x'.repeat(3_000_000), reset: false }, 300);
  await expect(call).rejects.toBeInstanceOf(CoreApiError);
});

test('a message larger than the core takes is not sent', async () => {
  let received = 0;
  const { port } = await serve(() => (received += 1));
  const { queryStats } = StatsService.method;
  const query = (length: number) => open(port).callRaw(queryStats, { pattern: 'x'.repeat(length), reset: false }, 300);
  await expect(query(4_194_304)).rejects.toMatchObject({ code: 'tooLarge' });
  expect(received).toBe(0);
});

test('every open call fails when the connection ends; the next call reconnects', async () => {
  const first = await serve((stream) => stream.session?.destroy());
  const channel = open(first.port);
  const calls = [1, 2, 3].map(() => channel.call(getSysStats, {}, 5_000));
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'gone' });
  first.end();
  await expect(channel.call(getSysStats, {}, 5_000)).rejects.toMatchObject({ code: 'gone' });
  await serve(uptime(9), first.port);
  expect((await channel.call(getSysStats, {}, 5_000)).Uptime).toBe(9);
});

test('closing ends open calls and accepts no more', async () => {
  const { port } = await serve(() => undefined);
  const channel = open(port);
  const call = channel.call(getSysStats, {}, 5_000);
  channel.close();
  await expect(call).rejects.toMatchObject({ code: 'gone' });
  await expect(channel.call(getSysStats, {}, 5_000)).rejects.toMatchObject({ code: 'gone' });
});

test('texts arrive unchanged, whatever their characters', async () => {
  // Every character that a header may hold; a text is sent encoded where that is shorter.
  const all = Array.from({ length: 256 }, (_, code) => String.fromCodePoint(code)).filter((char) =>
    /[\x21-\x24\x26-\x7e\x80-\xff]/.test(char),
  );
  for (let from = 0; from < all.length; from += 40) {
    const text = all.slice(from, from + 40).join('');
    const { port } = await serve(refusal(2, text));
    await expect(open(port).call(getSysStats, {}, 5_000)).rejects.toMatchObject({ message: text });
  }
});

test('long requests and long responses pass in parallel, whatever their lengths', async () => {
  const { port } = await serve((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(framed(Buffer.alloc(3_000_000, 7)));
  });
  const channel = open(port);
  const { queryStats } = StatsService.method;
  const lengths = [10, 16_384 - 8, 65_535, 200_000, 2_500_000];
  const responses = await Promise.all(
    lengths.map((length) => channel.callRaw(queryStats, { pattern: 'x'.repeat(length), reset: false }, 10_000)),
  );
  for (const response of responses) expect(response.equals(Buffer.alloc(3_000_000, 7))).toBe(true);
});

test('a request arrives as it was sent', async () => {
  const pattern = 'y'.repeat(700_000);
  const received: Buffer[] = [];
  const server = createServer();
  opened.push({ close: () => server.close() });
  server.on('session', (session) => opened.push({ close: () => session.destroy() }));
  server.on('stream', (stream, headers) => {
    expect(headers).toMatchObject({ ':method': 'POST', te: 'trailers', 'content-type': 'application/grpc' });
    expect(headers['grpc-timeout']).toBe('5000m');
    stream.on('data', (part: Buffer) => received.push(part));
    stream.once('end', () => uptime(1)(stream, ''));
  });
  await listening(server);
  const { queryStats } = StatsService.method;
  await open(portOf(server)).callRaw(queryStats, { pattern, reset: true }, 5_000);
  const body = Buffer.concat(received);
  const message = toBinary(queryStats.input, create(queryStats.input, { pattern, reset: true }));
  expect(body.equals(framed(message))).toBe(true);
});

test('invalid HTTP/2 ends the call, not the panel', async () => {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    // Headers of the response with a number that never ends.
    socket.write(Buffer.from('0000080104000000017fffffffffffffff', 'hex'));
  });
  opened.push({ close: () => server.close() });
  await listening(server);
  const channel = open(portOf(server));
  await expect(channel.call(getSysStats, {}, 5_000)).rejects.toMatchObject({ code: 'gone' });
});
