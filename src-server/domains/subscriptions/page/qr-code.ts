import { encode } from 'uqr';

/** Bytes that the largest code of correction level M holds. */
const MAX_BYTES = 2_331;
/** Modules across up to which a code is read off a phone's screen at its small size. */
const SMALL = 61;

/** Whether a code can hold a text. */
export const fitsCode = (text: string): boolean => Buffer.byteLength(text) <= MAX_BYTES;

/** A code as an image of few bytes: each row of dark modules is a dash of one line. null = the text is too long. */
export function qrImage(text: string): string | null {
  if (!fitsCode(text)) return null;
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.map((row, y) => `M0 ${y}${dashes(row)}`).join('');
  return `<div class="qr${size > SMALL ? ' big' : ''}" role="img" aria-label="QR"><svg viewBox="0 -.5 ${size} ${size}" shape-rendering="crispEdges"><path stroke="#000" d="${path}"/></svg></div>`;
}

function dashes(row: readonly boolean[]): string {
  const runs = row.reduce<{ isDark: boolean; length: number }[]>((found, isDark) => {
    const last = found.at(-1);
    if (last?.isDark === isDark) last.length += 1;
    else found.push({ isDark, length: 1 });
    return found;
  }, []);
  return runs.map(({ isDark, length }) => (isDark ? `h${length}` : `m${length} 0`)).join('');
}
