/** A part of a URL without its escapes; a lone `%` is taken literally. */
export function plainText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
