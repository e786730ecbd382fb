import type { BrowserWindow } from 'electron';
import { expect, it, vi } from 'vitest';
import { FIRST_PREFERENCES, Preferences } from '../preferences/preferences.ts';
import { keepPlace } from './kept-place.ts';

vi.mock('electron', () => ({ screen: {} }));

it('stores a page that is enlarged beyond measure so that the file is sound at the next start', async () => {
  let stored: Preferences = FIRST_PREFERENCES;
  const file = { read: () => stored, write: async (value: Preferences) => void (stored = value) };
  const opened = {
    isDestroyed: () => false,
    getNormalBounds: () => ({ x: 1, y: 2, width: 1000, height: 700 }),
    isMaximized: () => false,
    webContents: { getZoomLevel: () => 10 },
  };
  keepPlace(opened as unknown as BrowserWindow, file);
  expect(Preferences.safeParse(stored).data).toMatchObject({ zoomLevel: 8, place: { width: 1000 } });
});
