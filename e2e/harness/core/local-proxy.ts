import { request, type IncomingMessage } from 'node:http';

/** Requests a page through a local HTTP proxy. @throws {Error} on refusal, reset or time-out */
export function requestThrough(proxyPort: number, url: string, timeoutMs = 15_000): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { host: new URL(url).host };
    const sent = request({ host: '127.0.0.1', port: proxyPort, path: url, headers, agent: false });
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error('no answer through the tunnel')));
    sent.once('error', reject);
    sent.once('response', (response) => {
      if (response.statusCode === 200) resolve(response);
      else {
        response.resume();
        reject(new Error(`the tunnel answered ${response.statusCode}`));
      }
    });
    sent.end();
  });
}

/** Number of body bytes that arrive through a local HTTP proxy. @throws {Error} on refusal, reset or time-out */
export async function bytesThrough(proxyPort: number, url: string, timeoutMs?: number): Promise<number> {
  let received = 0;
  for await (const chunk of await requestThrough(proxyPort, url, timeoutMs)) received += (chunk as Buffer).length;
  return received;
}
