import { Readable } from 'node:stream';
import { protocol, type Session } from 'electron';
import { SCHEME } from '../guards/own-page.ts';
import type { PageResponse, PageRequest } from './exchange.ts';

/** Statuses without a body; a `Response` refuses one. */
const BODYLESS = new Set([204, 205, 304]);

/** Must run before the application is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

/** Answers the requests of our scheme in one session. */
export function serveScheme(session: Session, handle: (request: PageRequest) => Promise<PageResponse>): void {
  session.protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url);
    const { status, headers, body } = await handle({
      method: request.method,
      path: url.pathname + url.search,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? null : Readable.fromWeb(request.body),
      signal: request.signal,
    });
    if (BODYLESS.has(status)) {
      if (body instanceof Readable) body.resume();
      return new Response(null, { status, headers });
    }
    const sent = body instanceof Readable ? (Readable.toWeb(body) as globalThis.ReadableStream) : new Uint8Array(body);
    return new Response(sent, { status, headers });
  });
}
