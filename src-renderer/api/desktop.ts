import type { DesktopBridge } from '../../src-main/bridge/contract.ts';

/** What the desktop window offers to its page; null in a browser. */
export function desktopBridge(): DesktopBridge | null {
  return (globalThis as { desktop?: DesktopBridge }).desktop ?? null;
}

/** The bridge, for pages that exist only in the desktop window. */
export function requireDesktop(): DesktopBridge {
  const bridge = desktopBridge();
  if (bridge === null) throw new Error('this page belongs to the desktop window');
  return bridge;
}
