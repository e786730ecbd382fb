/** The panel's session and visitor cookies; nothing else is kept or sent. */
const KEPT = new Set(['panel_session', 'panel_csrf']);

/** @param onChange called with the remaining cookies, to store them */
export function createCookieJar(start: Record<string, string>, onChange: (cookies: Record<string, string>) => void) {
  const cookies = new Map(Object.entries(start));
  return {
    /** For the `Cookie` header; empty when there are none. */
    header: (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    /** Applies the cookies that a response sets or removes. */
    take(setCookie: readonly string[]): void {
      let changed = false;
      for (const line of setCookie) {
        const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
        const at = pair.indexOf('=');
        const name = pair.slice(0, at);
        const value = pair.slice(at + 1);
        if (at < 1 || !KEPT.has(name)) continue;
        const isRemoved = value === '' || attributes.some((attribute) => /^max-age=0$/i.test(attribute));
        if (isRemoved ? !cookies.has(name) : cookies.get(name) === value) continue;
        if (isRemoved) cookies.delete(name);
        else cookies.set(name, value);
        changed = true;
      }
      if (changed) onChange(Object.fromEntries(cookies));
    },
  };
}
/** Cookies of one panel. They never reach the page. */
