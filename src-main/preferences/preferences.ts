import * as z from 'zod';

/** Where and how large the window was. Device-independent pixels. */
const Place = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1),
  height: z.int().min(1),
  isMaximized: z.boolean(),
});
export type Place = z.output<typeof Place>;

/** What this application remembers for itself. Nothing in it is secret. */
export const Preferences = z.object({
  /** Id of the connection the window opens with; null before the first choice. */
  home: z.string().nullable(),
  /** Whether the panel of this computer is to run: chosen at the first start. */
  runsLocalPanel: z.boolean(),
  onClose: z.enum(['ask', 'tray', 'quit']),
  startAtLogin: z.boolean(),
  notifications: z.boolean(),
  /** Files of earlier versions do not name it. */
  updates: z.enum(['stable', 'dev']).default('stable'),
  theme: z.enum(['system', 'light', 'dark']),
  zoomLevel: z.number().min(-8).max(8),
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
  zoomLevel: 0,
  place: null,
};
