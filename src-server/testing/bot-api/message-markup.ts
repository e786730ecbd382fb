const TAGS = new Set(['b', 'strong', 'i', 'em', 'u', 's', 'code', 'pre', 'blockquote', 'tg-spoiler', 'a']);
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/**
 * Parses a message's HTML markup like the bot API, which refuses a whole message for one stray character.
 * @throws {Error} with the API's words
 */
export function readMarkup(html: string): string {
  const open: string[] = [];
  let text = '';
  for (let at = 0; at < html.length;) {
    const rest = html.slice(at);
    const tag = /^<(\/?)([a-z-]*)([^<>]*)>?/i.exec(rest);
    const entity = /^&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/i.exec(rest);
    if (tag !== null) {
      const [whole, end, name = ''] = tag;
      const lower = name.toLowerCase();
      if (!whole.endsWith('>') || !TAGS.has(lower))
        throw new Error(`can't parse entities: Unsupported start tag "${lower}" at byte offset ${at}`);
      if (end === '') open.push(lower);
      else if (open.pop() !== lower)
        throw new Error(
          `can't parse entities: Unmatched end tag at byte offset ${at}, expected "</…>", found "${whole}"`,
        );
      at += whole.length;
    } else if (entity !== null) {
      const [whole, decimal, hexadecimal, name = ''] = entity;
      const code =
        decimal !== undefined ? Number(decimal) : hexadecimal !== undefined ? parseInt(hexadecimal, 16) : NaN;
      text += Number.isNaN(code) ? (ENTITIES[name] ?? whole) : String.fromCodePoint(code);
      at += whole.length;
    } else {
      text += html[at];
      at += 1;
    }
  }
  if (open.length > 0)
    throw new Error(`can't parse entities: Can't find end tag corresponding to start tag "${open.at(-1)}"`);
  return text;
}
