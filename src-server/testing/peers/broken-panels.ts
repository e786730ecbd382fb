import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listening, originOf, shut } from './local-server.ts';

const MIB = Buffer.alloc(1024 * 1024, 'x');
const lies: Record<string, unknown> = {
  cpu: 'much',
  mem: { current: -5, total: 1e308 },
  core: { state: 'dancing', version: 'v'.repeat(100_000), restarts: -3, leftOut: 'everything' },
  netIO: { up: 'inf', down: null },
  panelVersion: '\u202e\u0007evil',
};

/** Ways in which a panel can fail its readers. */
const WAYS = {
  /** Accepts the request and never responds. */
  hangs: () => undefined,
  /** Begins to respond and goes on for ever, a byte at a time. */
  drips(response: ServerResponse) {
    response.write('{"success":true,"obj":{');
    const timer = setInterval(() => response.write(' '), 50);
    response.once('close', () => clearInterval(timer));
  },
  /** Responds without end, as fast as it is read. */
  floods(response: ServerResponse) {
    const more = (): void =>
      void (!response.destroyed && (response.write(MIB) ? setImmediate(more) : response.once('drain', more)));
    more();
  },
  /** A few kilobytes that unpack to 100 MiB. */
  explodes(response: ServerResponse) {
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(Buffer.alloc(100 * 1024 * 1024, ' ')));
  },
  /** Ends in the middle of its response. */
  breaksOff(response: ServerResponse) {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"success":true,', () => response.destroy());
  },
  /** Responds with something else. */
  isNone: (response: ServerResponse) => response.end('<html>It works!</html>'),
  /** Impossible figures. */
  lies: (response: ServerResponse) =>
    response.end(JSON.stringify({ success: true, msg: '', obj: lies }).replace('"inf"', '1e999')),
  leavesOut: (response: ServerResponse) => response.end('{"success":true,"obj":null}'),
  refuses(response: ServerResponse) {
    response.statusCode = 401;
    response.end('{"success":false,"msg":"sign in"}');
  },
  fails(response: ServerResponse) {
    response.statusCode = 502;
    response.end('bad gateway');
  },
} satisfies Record<string, (response: ServerResponse) => unknown>;
export type Way = keyof typeof WAYS;

/** A panel that fails in one way at every call. */
export async function openBrokenPanel(way: Way) {
  const server = createServer((request, response) => {
    request.resume();
    response.on('error', () => undefined);
    WAYS[way](response);
  });
  await listening(server);
  return {
    url: `${originOf(server)}/`,
    close: async (): Promise<void> => {
      await shut(server);
    },
  };
}
