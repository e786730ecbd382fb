import { connect } from 'node:net';

/** vless request: version 0, id, no add-ons, command TCP, port, IPv4 loopback, then a small GET. */
function requestOf(uuid: string, sitePort: number): Buffer {
  const head = Buffer.alloc(26);
  Buffer.from(uuid.replaceAll('-', ''), 'hex').copy(head, 1);
  head.writeUInt8(0, 17);
  head.writeUInt8(1, 18);
  head.writeUInt16BE(sitePort, 19);
  head.writeUInt8(1, 21);
  head.set([127, 0, 0, 1], 22);
  return Buffer.concat([head, Buffer.from('GET /bytes/200 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')]);
}

/** One bare vless request: simulates thousands of clients without a core each. @returns whether it was answered */
export function isServed(port: number, uuid: string, sitePort: number): Promise<boolean> {
  return new Promise((resolve) => {
    let received = 0;
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(requestOf(uuid, sitePort)));
    socket.setTimeout(15_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received > 200) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received > 200));
  });
}
