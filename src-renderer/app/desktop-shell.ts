import type { DesktopBridge } from '../../src-main/bridge/contract.ts';

const SCHEMES = { auto: 'system', light: 'light', dark: 'dark' } as const;
/** Where the kit keeps the chosen theme. */
const SCHEME_KEY = 'mantine-color-scheme-value';

/** What the page owes the desktop window around it: the theme for the next first paint, and going where links lead. */
export function followDesktop(bridge: DesktopBridge, navigate: (path: string) => Promise<void> | void): void {
  const tellTheme = (): void => {
    const stored = localStorage.getItem(SCHEME_KEY) ?? 'auto';
    void bridge.shell.setTheme(stored in SCHEMES ? SCHEMES[stored as keyof typeof SCHEMES] : 'system');
  };
  tellTheme();
  new MutationObserver(tellTheme).observe(document.documentElement, {
    attributeFilter: ['data-mantine-color-scheme'],
  });
  void import('../api/confirm-first.tsx').then(({ guardDownloads }) => guardDownloads());
  bridge.shell.onOpen((path) => void navigate(path));
}
