/** Largest text of one call, as it is sent: the panel reads bodies of up to 10 MiB. */
const MAX_PART_BYTES = 8 * 1024 * 1024;

const encoder = new TextEncoder();
/** Bytes of a text inside JSON, where each of its quotes takes two. */
const sentBytes = (text: string): number => encoder.encode(JSON.stringify(text)).length;

/**
 * Texts that each fit into one call and together hold every client of a file, in order; each is made when it is asked for.
 * What is no list goes as it is: the panel says what is wrong with it.
 */
export function* importParts(text: string, maxBytes = MAX_PART_BYTES): Generator<string> {
  const clients = text.length <= maxBytes && sentBytes(text) <= maxBytes ? null : listIn(text);
  if (clients === null) {
    yield text;
    return;
  }
  let part: string[] = [];
  let bytes = 0;
  for (const client of clients) {
    const item = JSON.stringify(client);
    const size = sentBytes(item);
    if (part.length > 0 && bytes + size > maxBytes) {
      yield `[${part.join(',')}]`;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  yield `[${part.join(',')}]`;
}

function listIn(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
