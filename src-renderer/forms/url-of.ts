/** Parses an address; null when it is none. Not `URL.canParse`, which browsers of 2023 lack. */
export function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
