import { request } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { TestCertificate } from '../certificate.ts';
import { listening, portOf } from '../../../src-server/testing/peers/local-server.ts';

/** Simulates a CDN: TLS and HTTP/2 towards visitors, plain HTTP towards the server behind it. */
export async function startCdn(
  certificate: TestCertificate,
  originPort: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createSecureServer(
    { cert: certificate.certPem, key: certificate.keyPem, allowHTTP1: true },
    (incoming, response) => {
      const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !name.startsWith(':')));
      headers['host'] ??= incoming.headers[':authority'];
      const passed = request({
        port: originPort,
        host: '127.0.0.1',
        method: incoming.method,
        path: incoming.url,
        headers,
      });
      passed.on('response', (origin) => {
        const { connection: _own, 'transfer-encoding': _framing, 'keep-alive': _kept, ...rest } = origin.headers;
        response.writeHead(origin.statusCode ?? 502, rest);
        origin.pipe(response);
      });
      passed.on('error', () => response.destroy());
      response.on('close', () => passed.destroy());
      incoming.pipe(passed);
    },
  );
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  await listening(server);
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        for (const session of sessions) session.destroy();
        server.close(() => resolve());
      }),
  };
}

/** An outbound that trusts the tests' certificate, at the CDN's port if there is one in front. */
export function reached(
  outbound: Record<string, unknown>,
  { pin }: TestCertificate,
  cdnPort: number | null,
): Record<string, unknown> {
  const stream = outbound['streamSettings'] as { security?: string; tlsSettings?: object } | undefined;
  const settings = outbound['settings'] as Record<string, unknown>;
  // As root, a client would otherwise create a network device on this machine.
  const quiet = outbound['protocol'] === 'wireguard' ? { ...settings, noKernelTun: true } : settings;
  const text = JSON.stringify(quiet).replace('"endpoint":"localhost:', '"endpoint":"127.0.0.1:');
  return {
    ...outbound,
    settings: JSON.parse(cdnPort === null ? text : text.replace('"port":443', `"port":${cdnPort}`)),
    ...(stream?.security === 'tls'
      ? { streamSettings: { ...stream, tlsSettings: { ...stream.tlsSettings, pinnedPeerCertSha256: pin } } }
      : {}),
  };
}
