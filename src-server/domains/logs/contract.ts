import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { FormFlag } from '../../contract/form-flag.ts';

const BASE = '/panel/api/server';

const Count = z.object({
  /** How many lines, at most 10,000; what is no number gives none. */
  count: z.string().max(64),
});
/** Plain text that a line must contain, case-sensitive; empty = any line. */
const Keyword = z.string().max(256).optional();
/** A class of lines is hidden by `false`. */
const Shown = FormFlag.optional();

export const panelLogs = endpoint('POST', `${BASE}/logs/:count`, {
  onStandby: 'answers',
  summary: "Last lines of the panel's own log, oldest first, at least as severe as `level`.",
  params: Count,
  body: z.object({
    /**
     * Least severe lines that are shown: critical, error, warning, notice, info (default) or debug; anything else
     * counts as error.
     */
    level: z.string().max(32).optional(),
    /** `true` asks for the log of the system, which this panel does not read: the answer says so. */
    syslog: FormFlag.optional(),
    /** Text that a line must contain, case-sensitive; empty = any line. */
    filter: Keyword,
  }),
  result: z.string(),
});

/** A line of the core's access log, with the names that older clients know. `Event`: 0 direct, 1 blocked, 2 proxied. */
export const AccessEntry = z.object({
  /** When it was, RFC 3339 with microseconds, UTC; empty when the line has no readable time. */
  DateTime: z.string(),
  /** Address and port that the connection came from. */
  FromAddress: z.string(),
  /** Destination with its network, such as tcp:example.com:443. */
  ToAddress: z.string(),
  /** Tag of the inbound; empty = the line names none. */
  Inbound: z.string(),
  /** Tag of the outbound; empty = the line names none. */
  Outbound: z.string(),
  /** Name of the client; empty = the line names none. */
  Email: z.string(),
  /** How it left: 0 directly, 1 blocked, 2 by another outbound. */
  Event: z.int().min(0).max(2),
});
export type AccessEntry = z.infer<typeof AccessEntry>;

export const coreLogs = endpoint('POST', `${BASE}/corelogs/:count`, {
  onStandby: 'answers',
  summary: "Last lines of the core's access log, oldest first; empty while the core writes none.",
  params: Count,
  body: z.object({
    /** Text that a line must contain, case-sensitive; empty = any line. */
    filter: Keyword,
    /** `false` hides what left directly, by a freedom outbound. */
    showDirect: Shown,
    /** `false` hides what a blackhole outbound took. */
    showBlocked: Shown,
    /** `false` hides what left by any other outbound. */
    showProxy: Shown,
    /** `entries` = lines are answered as objects; otherwise as text. */
    format: z.enum(['text', 'entries']).optional(),
  }),
  result: z.union([z.string(), z.array(AccessEntry)]),
});
