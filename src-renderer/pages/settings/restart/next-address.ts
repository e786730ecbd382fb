import type { SettingsView } from '#contract/settings';

/** Settings that decide where the panel answers. */
export type Place = Pick<SettingsView, 'webPort' | 'webBasePath' | 'webDomain' | 'webCertFile' | 'webKeyFile'>;

/**
 * Address of the settings page after a change of place. What did not change stays as the browser has it: behind a
 * forwarder or a start flag the visible port is not the stored one.
 * @param here address of this page
 * @returns null when the page does not move.
 */
export function nextAddress(here: string, before: Place, after: Place): string | null {
  const url = new URL(here);
  // The desktop window reaches its panel by another way than the web address.
  if (!url.protocol.startsWith('http')) return null;
  const isSecure = (place: Place) => place.webCertFile !== '' && place.webKeyFile !== '';
  if (isSecure(before) !== isSecure(after)) {
    // A port without a number is the standard one of its scheme, and that would change with it.
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

/** `/x` → `/x/`: as the server stores it. */
function withSlashes(path: string): string {
  return `/${path}/`.replaceAll(/\/{2,}/g, '/');
}
