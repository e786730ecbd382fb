/** A text as it stands in HTML, in elements and quoted attributes alike. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"'\0]/g, (char) => (char === '\0' ? '\ufffd' : `&#${char.charCodeAt(0)};`));
}

/** A text of at most this many characters; the end of a longer one is left out visibly. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
