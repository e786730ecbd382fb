import * as z from 'zod';
import { WATCH_KINDS, type PanelsChoices } from '../bridge/panels.ts';

const MAX_PANELS = 1_000;
const Id = z.string().min(1).max(64);
const Minute = z.int().min(0).max(1_439);
const ids = <T extends z.ZodType>(value: T) =>
  z.record(Id, value).refine((record) => Object.keys(record).length <= MAX_PANELS);

/** How all panels are shown and watched; nothing in it is secret. */
export const PanelsChoicesInput = z.object({
  isWatching: z.boolean(),
  quiet: z.object({ fromMin: Minute, toMin: Minute }).nullable(),
  muted: ids(z.array(z.enum(WATCH_KINDS)).max(WATCH_KINDS.length)),
  order: z.array(Id).max(MAX_PANELS),
  groups: ids(z.string().trim().max(64)),
  layout: z.enum(['cards', 'rows']),
  sort: z.enum(['need', 'own', 'name']),
  isFirstPage: z.boolean(),
  hasShortcut: z.boolean(),
}) satisfies z.ZodType<PanelsChoices>;

export const FIRST_CHOICES: z.output<typeof PanelsChoicesInput> = {
  isWatching: true,
  quiet: null,
  muted: {},
  order: [],
  groups: {},
  layout: 'cards',
  sort: 'need',
  isFirstPage: false,
  hasShortcut: false,
};
