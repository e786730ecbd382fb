import { Readable } from 'node:stream';

/**
 * A long array as the result of a handler, in pages: the response is written page by page, so that neither memory nor
 * the event loop carries all of it at once. On the wire it is the same envelope as any other.
 */
export class JsonList<T> {
  readonly pages: AsyncIterable<readonly T[]>;
  constructor(pages: AsyncIterable<readonly T[]>) {
    this.pages = pages;
  }

  toEnvelope(msg: string): Readable {
    return Readable.from(envelopeOf(this.pages, msg));
  }
}

async function* envelopeOf(pages: AsyncIterable<readonly unknown[]>, msg: string): AsyncGenerator<string> {
  yield `{"success":true,"msg":${JSON.stringify(msg)},"obj":[`;
  let separator = '';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + JSON.stringify(page).slice(1, -1);
    separator = ',';
  }
  yield ']}';
}

/** JSON text of a long array, already serialised, in pieces: for items that are too long to be one piece. */
export class JsonPieces {
  readonly items: AsyncIterable<string | Uint8Array>;
  /** Entity tag of the items, in quotes: a caller that already holds this state is told so, and gets no items. */
  readonly tag: string;
  /** @param items text of the items with their commas, split anywhere; bytes are UTF-8 */
  constructor(items: AsyncIterable<string | Uint8Array>, tag: string) {
    this.items = items;
    this.tag = tag;
  }

  toEnvelope(msg: string): Readable {
    return Readable.from(piecesOf(this.items, msg));
  }
}

async function* piecesOf(items: AsyncIterable<string | Uint8Array>, msg: string): AsyncGenerator<string | Uint8Array> {
  yield `{"success":true,"msg":${JSON.stringify(msg)},"obj":[`;
  yield* items;
  yield ']}';
}
