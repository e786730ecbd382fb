import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { protocol, type Session, type UploadData } from 'electron';
import { SCHEME } from '../../../src-main/guards/own-page.ts';
import type { PageResponse, PageRequest } from '../../../src-main/protocol/exchange.ts';
import { withoutLightDark } from './light-dark.ts';
import { fillInPage } from './page-polyfills.ts';

/** Before each script of the page, so that the first one to run already has them. */
const POLYFILLS = `(${fillInPage.toString()})();`;

/** Replaces src-main/protocol/serve-scheme.ts under an Electron without `protocol.handle`. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

export function serveScheme(session: Session, handle: (request: PageRequest) => Promise<PageResponse>): void {
  session.protocol.registerStreamProtocol(SCHEME, ({ url, method, headers, uploadData }, done) => {
    const { pathname, search } = new URL(url);
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const respond = async (): Promise<void> => {
      const request = { method, path: pathname + search, headers: lower, body: bodyOf(session, uploadData) };
      const { status, headers: sent, body } = await handle(request);
      const data = new PassThrough();
      const isStyle = sent['content-type']?.startsWith('text/css') === true;
      if (sent['content-type']?.startsWith('text/javascript') === true) data.write(POLYFILLS);
      const shown = isStyle && !(body instanceof Readable) ? Buffer.from(withoutLightDark(body.toString())) : body;
      (shown instanceof Readable ? shown : Readable.from([shown])).pipe(data);
      done({ statusCode: status, headers: sent, data });
    };
    void respond();
  });
}

function bodyOf(session: Session, parts: readonly UploadData[] | undefined): Readable | null {
  if (parts === undefined || parts.length === 0) return null;
  return Readable.from(
    (async function* read() {
      for (const part of parts) {
        // A picked file arrives as its path.
        if (part.file) yield* createReadStream(part.file);
        else yield part.blobUUID ? await session.getBlobData(part.blobUUID) : part.bytes;
      }
    })(),
  );
}
