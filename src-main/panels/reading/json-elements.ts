import { ReadFailure } from './limited-call.ts';

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93];
/** Elements are in the array of the envelope: `{"obj":[{…},{…}]}`. */
const ELEMENT_DEPTH = 2;
const HEAD_BYTES = 512;

/**
 * Splits the list of an envelope into its elements while it arrives, so that neither the text nor the values of a list
 * of 100,000 are ever in memory as a whole.
 * @param maxBytes size limit of one element
 */
export function jsonElements(maxBytes: number, take: (element: unknown) => void) {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  /** Parts of the element that began in an earlier chunk of the response. */
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let isElement = false;
  let head = '';
  let count = 0;

  function finish(last: Buffer): void {
    const whole = begun.length === 0 ? last : Buffer.concat([...begun, last]);
    begun = [];
    begunBytes = 0;
    isElement = false;
    count += 1;
    take(parse(whole));
  }

  return {
    /** @throws {ReadFailure} for an element that is too large or not JSON */
    push: (piece: Buffer): void => {
      if (head.length < HEAD_BYTES) head += piece.toString('latin1', 0, HEAD_BYTES);
      let from = 0;
      for (let at = 0; at < piece.length; at += 1) {
        const byte = piece[at];
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isText = false;
          continue;
        }
        if (byte === QUOTE) isText = true;
        else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
          if (depth === ELEMENT_DEPTH && byte === OPEN_BRACE) {
            isElement = true;
            from = at;
          }
          depth += 1;
        } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
          depth -= 1;
          if (depth === ELEMENT_DEPTH && isElement) finish(piece.subarray(from, at + 1));
        }
      }
      if (!isElement) return;
      const rest = piece.subarray(from);
      begunBytes += rest.length;
      if (begunBytes > maxBytes) throw new ReadFailure('wrong', 'an entry of its list is too large');
      begun.push(rest);
    },
    /** @throws {ReadFailure} when the response was cut off, or was not a list */
    end(): number {
      if (/^\s*\{\s*"success"\s*:\s*false/.test(head)) throw new ReadFailure('absent', '');
      if (depth !== 0 || isText || !/^\s*\{/.test(head)) throw new ReadFailure('wrong', 'what it answers is no list');
      return count;
    },
  };
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    throw new ReadFailure('wrong', 'what it answers is no JSON');
  }
}
