/** Every byte but `A–Z a–z 0–9 - _ . ~` as `%XX`: user info and fragments of links. */
export function encodePart(text: string): string {
  return encodeURIComponent(wellFormed(text)).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Parameters in ascending order of their keys, form-encoded: a space is `+`. Absent ones are left out, empty ones stay. */
export function encodeQuery(params: Readonly<Record<string, string | undefined>>): string {
  return Object.keys(params)
    .filter((key) => params[key] !== undefined)
    .sort()
    .map((key) => `${key}=${encodePart(params[key] ?? '').replaceAll('%20', '+')}`)
    .join('&');
}

/** A lone surrogate has no bytes in UTF-8 and would throw. */
const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());
