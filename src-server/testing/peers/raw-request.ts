import { connect } from 'node:net';

/**
 * Sends raw HTTP: these lines as headers, then up to `bodyBytes` of a body for as long as they are accepted.
 * @returns the response, how many bytes were passed to the system, and whether the other side ended the connection.
 */
export function sendRaw(
  url: string,
  lines: readonly string[],
  bodyBytes = 0,
): Promise<{ text: string; sentBytes: number; isEnded: boolean }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    let text = '';
    let sentBytes = 0;
    let isEnded = false;
    const push = () => {
      while (socket.writable && sentBytes < bodyBytes) {
        sentBytes += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('connect', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.on('connect', push);
    socket.on('drain', push);
    socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
    socket.on('end', () => {
      isEnded = true;
      socket.destroy();
    });
    socket.on('error', () => (isEnded = true));
    socket.on('close', () => resolve({ text, sentBytes, isEnded }));
  });
}
