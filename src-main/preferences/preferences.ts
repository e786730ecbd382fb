import * as z from 'zod';
import { LanguageCode } from '../texts/texts.ts';

/** Position and size of the window. Device-independent pixels. */
const Place = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1),
  height: z.int().min(1),
  isMaximized: z.boolean(),
});
export type Place = z.output<typeof Place>;

/** In the steps of Chromium, both ways: a quarter and four times the size. */
export const MAX_ZOOM = 8;

/** The application's own settings. Nothing in them is secret. */
export const Preferences = z.object({
  /** Id of the connection the window opens with; null before the first choice. */
  home: z.string().nullable(),
  /** Whether this computer's panel should run: chosen at the first start. */
  runsLocalPanel: z.boolean(),
  onClose: z.enum(['ask', 'tray', 'quit']),
  startAtLogin: z.boolean(),
  notifications: z.boolean(),
  /** Missing in files of earlier versions. */
  updates: z.enum(['stable', 'dev']).default('stable'),
  theme: z.enum(['system', 'light', 'dark']),
  /** The one the page showed last; null before the first page, and missing in files of earlier versions. */
  language: LanguageCode.nullable().default(null),
  zoomLevel: z.number().min(-MAX_ZOOM).max(MAX_ZOOM),
  place: Place.nullable(),
});
export type Preferences = z.output<typeof Preferences>;

export const FIRST_PREFERENCES: Preferences = {
  home: null,
  runsLocalPanel: false,
  onClose: 'ask',
  startAtLogin: false,
  notifications: true,
  updates: 'stable',
  theme: 'system',
  language: null,
  zoomLevel: 0,
  place: null,
};
