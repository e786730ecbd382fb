import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { FormFlag } from '../../contract/form-flag.ts';

const BASE = '/panel/api/server';

const Count = z.object({ count: z.string().max(64) });
/** Plain text that a line must contain, case-sensitive; empty = any line. */
const Keyword = z.string().max(256).optional();
/** A class of lines is hidden by `false`. */
const Shown = FormFlag.optional();

export const panelLogs = endpoint({
  method: 'POST',
  path: `${BASE}/logs/:count`,
  summary: "Last lines of the panel's own log, oldest first, at least as severe as `level`",
  encoding: 'either',
  params: Count,
  body: z.object({
    /** critical, error, warning, notice, info (default), debug; anything else counts as error. */
    level: z.string().max(32).optional(),
    syslog: FormFlag.optional(),
    filter: Keyword,
  }),
  result: z.string(),
});

/** A line of the core's access log, with the names that older clients know. `Event`: 0 direct, 1 blocked, 2 proxied. */
export const AccessEntry = z.object({
  /** RFC 3339 with microseconds, UTC; empty when the line has no readable time. */
  DateTime: z.string(),
  FromAddress: z.string(),
  ToAddress: z.string(),
  Inbound: z.string(),
  Outbound: z.string(),
  Email: z.string(),
  Event: z.int().min(0).max(2),
});
export type AccessEntry = z.infer<typeof AccessEntry>;

export const coreLogs = endpoint({
  method: 'POST',
  path: `${BASE}/corelogs/:count`,
  summary: "Last lines of the core's access log, oldest first; empty while the core writes none",
  encoding: 'either',
  params: Count,
  body: z.object({
    filter: Keyword,
    showDirect: Shown,
    showBlocked: Shown,
    showProxy: Shown,
    /** `entries` = parsed lines instead of text. */
    format: z.enum(['text', 'entries']).optional(),
  }),
  result: z.union([z.string(), z.array(AccessEntry)]),
});
