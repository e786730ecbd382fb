import type { SettingsView } from '#contract/settings';
import { desktopBridge } from '../../../api/desktop.ts';
import { useCurrentConnection } from '../../../api/panel-url.ts';
import { nextAddress, type Place } from './next-address.ts';

/**
 * Where changed settings move the settings page; null = nowhere. The window follows a remote panel to another port or
 * path of its host; an address elsewhere is entered by hand.
 */
export function useNextAddress(before: Place, after: Place, startOptions: SettingsView['startOptions']): string | null {
  const current = useCurrentConnection();
  if (desktopBridge() === null) return nextAddress(location.href, before, after, startOptions);
  // The window does not reach this computer's panel by its web address.
  if (current === undefined || current.id === 'local') return null;
  const here = new URL(current.address + location.pathname.slice(1));
  const next = new URL(nextAddress(here.href, before, after, startOptions) ?? here);
  const isFollowed = next.hostname === here.hostname && (next.protocol === 'https:' || here.protocol === 'http:');
  return isFollowed && next.href !== here.href ? next.href : null;
}

/** The panel's address, of that of its settings page. */
export const panelOf = (settingsPage: string): string =>
  settingsPage.slice(0, settingsPage.lastIndexOf('panel/settings'));
