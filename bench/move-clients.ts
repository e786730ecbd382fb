import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Thread that makes clients move bytes through the real core: one vless connection each, whose request is a small HTTP
 * GET. `{round: n, count}` starts a round over the first `count` clients; `{done: n, failed}` reports its end.
 */
const { port, sitePort, uuids } = workerData as { port: number; sitePort: number; uuids: string[] };
const AT_ONCE = 200;
/** Closed connections hold their port for a minute; spread over addresses, 50,000 of them still find one. */
const SITE_ADDRESSES = 16;

/** vless request: version 0, id, no add-ons, command TCP, port, an IPv4 loopback address, then payload. */
function requestOf(uuid: string, turn: number): Buffer {
  const head = Buffer.alloc(26);
  Buffer.from(uuid.replaceAll('-', ''), 'hex').copy(head, 1);
  head.writeUInt8(0, 17);
  head.writeUInt8(1, 18);
  head.writeUInt16BE(sitePort, 19);
  head.writeUInt8(1, 21);
  head.set([127, 0, 0, 1 + (turn % SITE_ADDRESSES)], 22);
  return Buffer.concat([head, Buffer.from('GET /bytes/200 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')]);
}

function moveOne(uuid: string, turn: number): Promise<boolean> {
  return new Promise((resolve) => {
    let received = 0;
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (turn % 200)}` }, () =>
      socket.write(requestOf(uuid, turn)),
    );
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.length;
      // Answered (200 bytes after a head of about 100): waiting for the core to close would cost a second each.
      if (received > 250) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received > 0));
  });
}

async function moveFirst(count: number, round: number): Promise<void> {
  let next = 0;
  let failed = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) {
        const turn = next++;
        if (!(await moveOne(uuids[turn] ?? '', turn))) failed++;
      }
    }),
  );
  parentPort?.postMessage({ done: round, failed });
}

parentPort?.on('message', ({ round, count }: { round: number; count: number }) => void moveFirst(count, round));
