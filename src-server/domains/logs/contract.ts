import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { FormFlag } from '../../contract/fields/form-flag.ts';

const BASE = '/panel/api/server';

const Count = z.object({
  /** How many lines, at most 10,000; an invalid number returns none. */
  count: z.string().max(64),
});
/** Plain text that a line must contain, case-sensitive; empty = any line. */
const Keyword = z.string().max(256).optional();
/** Only `false` hides a class of lines; any other value shows it. */
const Shown = z
  .unknown()
  .optional()
  .transform((value) => value !== false && value !== 'false');

export const panelLogs = endpoint('POST', `${BASE}/logs/:count`, {
  onStandby: 'answers',
  summary: "Last lines of the panel's own log, oldest first, at least as severe as `level`.",
  params: Count,
  body: z.object({
    /**
     * Least severe level to show: critical, error, warning, notice, info (default) or debug; anything else counts as
     * error.
     */
    level: z.string().max(32).optional(),
    /** `true` requests the system's log, which this panel does not read: the response says so. */
    syslog: FormFlag.optional(),
    /** Text that a line must contain, case-sensitive; empty = any line. */
    filter: Keyword,
  }),
  result: z.string(),
});

/** A line of the core's access log, with the field names of older clients. `Event`: 0 direct, 1 blocked, 2 proxied. */
export const AccessEntry = z.object({
  /** Time of the line, RFC 3339 with microseconds, UTC; empty when it has no readable time. */
  DateTime: z.string(),
  /** Address and port of the client. */
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
    /** `false` hides direct connections, made by a freedom outbound. */
    showDirect: Shown,
    /** `false` hides connections blocked by a blackhole outbound. */
    showBlocked: Shown,
    /** `false` hides connections through any other outbound. */
    showProxy: Shown,
    /** `entries` = returns lines as objects; otherwise as text. */
    format: z.enum(['text', 'entries']).optional(),
  }),
  result: z.union([z.string(), z.array(AccessEntry)]),
});
