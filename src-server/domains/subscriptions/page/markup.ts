/** Escapes a text for HTML, in elements and quoted attributes alike. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"'\0]/g, (char) => (char === '\0' ? '\ufffd' : `&#${char.charCodeAt(0)};`));
}

/** Cuts a text to this many characters; a cut is visible. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
