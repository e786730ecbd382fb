import { screen, type BrowserWindow, type Rectangle } from 'electron';
import type { JsonFile } from '../preferences/json-file.ts';
import { MAX_ZOOM, type Preferences } from '../preferences/preferences.ts';

const SAVE_AFTER_MS = 400;

/** Stores where a window is and how large its page is drawn, for the next start. */
export function keepPlace(opened: BrowserWindow, preferences: JsonFile<Preferences>): void {
  if (opened.isDestroyed()) return;
  const place = { ...opened.getNormalBounds(), isMaximized: opened.isMaximized() };
  // The menu enlarges a page without an end.
  const zoomLevel = Math.min(Math.max(opened.webContents.getZoomLevel(), -MAX_ZOOM), MAX_ZOOM);
  void preferences.write({ ...preferences.read(), place, zoomLevel });
}

/** Stores the place again after each move, until the window closes. */
export function rememberMoves(opened: BrowserWindow, preferences: JsonFile<Preferences>): void {
  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => keepPlace(opened, preferences), SAVE_AFTER_MS);
  };
  opened.on('move', later);
  opened.on('resize', later);
  opened.once('closed', () => clearTimeout(timer));
}

/** Usable areas of the screens, the main one first. */
export function screenAreas(): Rectangle[] {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main, ...others].map(({ workArea }) => workArea);
}
