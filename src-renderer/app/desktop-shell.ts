import type { DesktopBridge } from '../../src-main/bridge/contract.ts';
import { isLanguage } from '../i18n/i18n.ts';

const SCHEMES = { auto: 'system', light: 'light', dark: 'dark' } as const;
/** Storage key of the kit's theme. */
const SCHEME_KEY = 'mantine-color-scheme-value';

/**
 * The page's duties towards the desktop window: reports the theme for the next first paint and the language,
 * and follows links.
 */
export function followDesktop(bridge: DesktopBridge, navigate: (path: string) => Promise<void> | void): void {
  const tellTheme = (): void => {
    const stored = localStorage.getItem(SCHEME_KEY) ?? 'auto';
    void bridge.shell.setTheme(stored in SCHEMES ? SCHEMES[stored as keyof typeof SCHEMES] : 'system');
  };
  tellTheme();
  new MutationObserver(tellTheme).observe(document.documentElement, {
    attributeFilter: ['data-mantine-color-scheme'],
  });
  const tellLanguage = (): void => {
    const { lang } = document.documentElement;
    if (isLanguage(lang)) void bridge.shell.setLanguage(lang);
  };
  tellLanguage();
  new MutationObserver(tellLanguage).observe(document.documentElement, { attributeFilter: ['lang'] });
  void import('../api/confirm-first.tsx').then(({ guardDownloads }) => guardDownloads());
  bridge.shell.onOpen((path) => void navigate(path));
}
