import type { SettingsView } from '#contract/settings';

/** Settings that determine the panel's address. */
export type Place = Pick<SettingsView, 'webPort' | 'webBasePath' | 'webDomain' | 'webCertFile' | 'webKeyFile'>;

/**
 * Address of the settings page after the panel's address changes. Unchanged parts stay as in the browser: behind a
 * proxy or with a start flag, the visible port is not the stored one.
 * @param here address of this page
 * @param startOptions values of this start's options, which hold after the restart too, whatever is stored
 * @returns null when the page does not move.
 */
export function nextAddress(
  here: string,
  before: Place,
  stored: Place,
  startOptions: SettingsView['startOptions'],
): string | null {
  const forced = Object.entries(before).filter(([name]) => name in startOptions);
  const after: Place = { ...stored, ...Object.fromEntries(forced) };
  const url = new URL(here);
  // The desktop window does not reach its panel by the web address.
  if (!url.protocol.startsWith('http')) return null;
  const isSecure = (place: Place) => place.webCertFile !== '' && place.webKeyFile !== '';
  if (isSecure(before) !== isSecure(after)) {
    // A URL without a port uses its scheme's default, which would change with the scheme.
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    url.protocol = isSecure(after) ? 'https:' : 'http:';
    url.port = port;
  }
  if (before.webPort !== after.webPort) url.port = String(after.webPort);
  if (before.webDomain !== after.webDomain && after.webDomain !== '') url.hostname = after.webDomain;
  const oldBase = withSlashes(before.webBasePath);
  const newBase = withSlashes(after.webBasePath);
  if (oldBase !== newBase && url.pathname.startsWith(oldBase))
    url.pathname = newBase + url.pathname.slice(oldBase.length);
  return url.href === new URL(here).href ? null : url.href;
}

/** `/x` → `/x/`, as the server stores it. */
function withSlashes(path: string): string {
  return `/${path}/`.replaceAll(/\/{2,}/g, '/');
}
