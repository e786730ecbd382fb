import * as z from 'zod';
import type { BackupsChoices, ReachabilityChoices } from '../../bridge/maintenance.ts';

const MAX_PANELS = 1_000;
const Id = z.string().min(1).max(64);
const Minute = z.int().min(0).max(1_439);
const ids = <T extends z.ZodType>(value: T) =>
  z.record(Id, value).refine((record) => Object.keys(record).length <= MAX_PANELS);

/** When backups of panels are taken, and which are kept; nothing in it is secret. */
export const BackupsChoicesInput = z.object({
  isOn: z.boolean(),
  atMin: Minute,
  ownAtMin: ids(Minute),
  off: z.array(Id).max(MAX_PANELS),
  keep: z.object({
    daily: z.int().min(1).max(365),
    weekly: z.int().min(0).max(260),
    monthly: z.int().min(0).max(240),
  }),
}) satisfies z.ZodType<BackupsChoices>;

/** Off by default: a database with every secret leaves its panel only when the operator wants it to. */
export const FIRST_BACKUPS: z.output<typeof BackupsChoicesInput> = {
  isOn: false,
  atMin: 3 * 60,
  ownAtMin: {},
  off: [],
  keep: { daily: 7, weekly: 4, monthly: 12 },
};

const WebUrl = z
  .string()
  .max(2_048)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));

/** How inbounds are tried from here. */
export const ReachabilityChoicesInput = z.object({
  isOn: z.boolean(),
  everyMin: z
    .int()
    .min(15)
    .max(7 * 1_440),
  downloadUrl: WebUrl,
  addressUrl: z.union([z.literal(''), WebUrl]),
  off: z.array(Id).max(MAX_PANELS),
  clients: ids(z.string().max(256)),
}) satisfies z.ZodType<ReachabilityChoices>;

/** Off by default: a trial uses a client's traffic. */
export const FIRST_REACHABILITY: z.output<typeof ReachabilityChoicesInput> = {
  isOn: false,
  everyMin: 120,
  downloadUrl: 'https://speed.cloudflare.com/__down?bytes=1048576',
  addressUrl: 'https://speed.cloudflare.com/cdn-cgi/trace',
  off: [],
  clients: {},
};
