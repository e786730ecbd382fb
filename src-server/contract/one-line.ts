/** Longest text of another server that is shown and kept. */
const MAX_TEXT = 500;

/** What another server says, as one line without what a terminal or a page could stumble over. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}
