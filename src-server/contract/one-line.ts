/** Longest text of another server that is shown and stored. */
const MAX_TEXT = 500;

/** Another server's text as one line, without characters that could break a terminal or a page. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}
