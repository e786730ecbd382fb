/** An address in its parts; null for anything else. Not by `URL.canParse`, which browsers of 2023 do not have. */
export function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
