/** One mark, text, number or word of JSON after its blanks; sticky. */
const TOKEN =
  /([ \t\r\n]*)([{}[\],:]|"(?:[ !\u0023-\u005B\u005D-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?|true|false|null)?/uy;

/** What may come next: `item` is a value or the end of a list, `member` a name or the end of an object. */
type Expected = 'value' | 'item' | 'name' | 'member' | 'colon' | 'more';

/**
 * Where a text that is not JSON goes wrong, in characters from 0; its length when it ends too early. Browsers do not
 * always say it.
 */
export function jsonMistakeAt(text: string): number {
  const open: string[] = [];
  let expected: Expected | null = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const [, blanks = '', token] = TOKEN.exec(text) ?? [];
    at += blanks.length;
    if (token === undefined) return at;
    expected = after(expected, token, open);
    if (expected === null) return at;
    at += token.length;
  }
}

/** What is expected after a token; null where the token is wrong. @param open the brackets around it, outermost first */
function after(expected: Expected, token: string, open: string[]): Expected | null {
  const isEnd = token === (open.at(-1) === '{' ? '}' : ']');
  if (isEnd && open.length > 0 && ['item', 'member', 'more'].includes(expected)) {
    open.pop();
    return 'more';
  }
  if (expected === 'more') return token === ',' && open.length > 0 ? (open.at(-1) === '{' ? 'name' : 'value') : null;
  if (expected === 'colon') return token === ':' ? 'value' : null;
  if (expected === 'name' || expected === 'member') return token.startsWith('"') ? 'colon' : null;
  if (token === '{' || token === '[') {
    open.push(token);
    return token === '{' ? 'member' : 'item';
  }
  return /^[}\],:]/.test(token) ? null : 'more';
}
