import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { IdParam } from '../../contract/fields/port.ts';

/** Largest time a Date can hold, in ms. */
const MAX_TIME_MS = 8_640_000_000_000_000;
const TimeMs = z
  .string()
  .regex(/^\d{1,16}$/, 'must be a time in whole ms since the epoch')
  .transform(Number)
  .pipe(z.int().max(MAX_TIME_MS));

const Bytes = z.object({ up: z.int(), down: z.int() });

/**
 * Where the bytes of an entry come from: `core` this panel's core, `node` another panel's; the others are bookkeeping
 * that explains a jump of the counters. `reset` entries subtract what was counted before.
 */
export const LedgerSource = z.enum(['core', 'node', 'reset', 'manual', 'opening']);

/** One bucket of one source. `up` and `down` are bytes, negative where a reset subtracted them. */
export const LedgerBucket = z.object({
  /** When it starts, in ms since 1970. */
  start: z.int(),
  /** Length in seconds: the requested one, or longer where older entries have been rolled up. */
  seconds: z.int(),
  /**
   * Where the bytes come from: `core` this panel's core, `node` another panel's; `reset`, `manual` and `opening`
   * explain a jump of the counters.
   */
  source: LedgerSource,
  /** GUID of the panel whose core counted; empty for bookkeeping. */
  guid: z.string(),
  /** Uploaded bytes; negative where a reset subtracted them. */
  up: z.int(),
  /** Downloaded bytes; negative where a reset subtracted them. */
  down: z.int(),
});

export const ClientLedger = z.object({
  email: z.string(),
  /** Counters of the client, in bytes. */
  counters: Bytes,
  /** Sum of the whole ledger; equal to the counters unless something outside the panel wrote to its database. */
  ledger: Bytes,
  /** First moment of the range, in ms since 1970. */
  from: z.int(),
  /** First moment after the range, in ms since 1970. */
  to: z.int(),
  /** Entries of the range by time, one for each source. */
  buckets: z.array(LedgerBucket),
});

const EmailParam = z.object({ email: z.string().max(1024) });

export const readLedger = endpoint('GET', '/panel/api/clients/ledger/:email', {
  summary: 'What a client moved, by time bucket and source, with the resets in between.',
  params: EmailParam,
  query: z.object({
    /** First moment of the range, in ms since 1970; absent = 24 hours before `to`. */
    from: TimeMs.optional(),
    /** First moment after the range, in ms since 1970; absent = now. */
    to: TimeMs.optional(),
    /** Bucket length in seconds; absent = 300 up to two days, 3600 up to 60 days, else 86400. */
    bucket: z.enum(['300', '3600', '86400']).transform(Number).optional(),
  }),
  result: ClientLedger,
});

export const recountLedger = endpoint('POST', '/panel/api/clients/ledger/:email/recount', {
  summary: "Sets a client's counters to the sum of its ledger.",
  params: EmailParam,
  result: z.object({
    /** The previous counters, in bytes. */
    before: Bytes,
    /** The new counters, in bytes. */
    after: Bytes,
  }),
  message: 'traffic.recounted',
});

/** How far to go: leave open sessions alone, end single connections, add QUIC inbounds again, restart the core. */
export const SessionChoice = z.enum(['leave', 'cut', 'readd', 'restart']);
export type SessionChoice = z.infer<typeof SessionChoice>;

/** Result of ending open sessions of clients whose credentials no longer work. */
export const SessionReport = z.object({
  /** The highest step taken. `none`: the core reported no client as connected; `left`: a connected client was left. */
  step: z.enum(['none', 'left', 'cut', 'readded', 'restarted']),
  /** Number of TCP connections ended one by one. */
  connections: z.int(),
  /**
   * Clients that may still be connected, the first hundred, each with a reason code. `shared`: another client uses the
   * same port from the same address; `udp`: not a TCP connection; `unreachable`: its connections arrive from an address
   * that differs from the one the core reports; `unable`: not possible on this machine; `unknown`: the core cannot tell
   * who is connected; `chosen`: left on request.
   */
  left: z.array(
    z.object({
      email: z.string(),
      /** Reason code; explained with the list. */
      reason: z.enum(['shared', 'udp', 'unreachable', 'unable', 'unknown', 'chosen']),
    }),
  ),
  /** Number of clients that may still be connected. */
  leftCount: z.int(),
  /** Steps that would end the remaining connections; each further one affects more other clients. */
  offers: z.array(z.enum(['cut', 'readd', 'restart'])),
  /** Why single connections cannot be ended here; empty when they can. */
  note: z.string(),
});

export const sessionState = endpoint('GET', '/panel/api/clients/sessions', {
  summary: 'Whether single connections can be ended on this machine, and what was done about open sessions lately.',
  result: z.object({
    /** Whether single connections can be ended on this machine. */
    canCut: z.boolean(),
    /** Why single connections cannot be ended; empty = they can. */
    reason: z.string(),
    /** Reports in which something was done or left open, newest first, at most fifty. */
    recent: z.array(
      SessionReport.extend({
        /** When it was done, in ms since 1970. */
        at: z.int(),
        /** Cause of the action, in English. */
        cause: z.string(),
      }),
    ),
  }),
});

export const endSessions = endpoint('POST', '/panel/api/clients/sessions/end', {
  summary: 'Ends open sessions of clients, those deleted or disabled before included.',
  body: z.object({ emails: z.array(z.string().max(1024)).min(1).max(10_000), how: SessionChoice }),
  result: SessionReport,
});

/** A counter difference too large to be plausible, not counted until an operator decides. */
export const QuarantinedDelta = z.object({
  id: z.int(),
  /** When it was counted, in ms since 1970. */
  at: z.int(),
  /** What the counter belongs to: a client (`user`), an inbound or an outbound. */
  kind: z.enum(['user', 'inbound', 'outbound']),
  /** E-mail or tag as the core named it. */
  subject: z.string(),
  /** Current name of what would be credited; null = it no longer exists. */
  owner: z.string().nullable(),
  /** GUID of the panel whose core reported it. */
  guid: z.string(),
  /** Uploaded bytes that would be added. */
  up: z.int(),
  /** Downloaded bytes that would be added. */
  down: z.int(),
  /** Interval in which the bytes would have been moved, in ms. */
  interval: z.int(),
});
const DeltaParam = z.object({
  /** Number of the difference. */
  id: IdParam,
});

export const listQuarantine = endpoint('GET', '/panel/api/clients/quarantine', {
  summary: 'Implausible counter differences that are not counted, newest first, at most 200 per call.',
  query: z.object({
    /** Id of the last item seen, for the next page; absent = start with the newest. */
    before: IdParam.optional(),
  }),
  result: z.array(QuarantinedDelta),
});

export const creditQuarantine = endpoint('POST', '/panel/api/clients/quarantine/:id/credit', {
  summary: 'Counts a quarantined difference after all.',
  params: DeltaParam,
  result: QuarantinedDelta,
  message: 'traffic.quarantineCredited',
});

export const dismissQuarantine = endpoint('POST', '/panel/api/clients/quarantine/:id/dismiss', {
  summary: 'Drops a quarantined difference for good.',
  params: DeltaParam,
  result: QuarantinedDelta,
  message: 'traffic.quarantineDismissed',
});

export const SubjectQuery = z.object({
  /** Whose traffic; `node` is what one node counted, `all` everything counted for clients. */
  subject: z.enum(['all', 'client', 'group', 'inbound', 'node']).default('all'),
  /** E-mail of the client, name of the group, number of the inbound or node; empty for `all`. */
  name: z.string().max(1024).default(''),
});
export type SubjectQuery = z.output<typeof SubjectQuery>;

const PeriodQuery = z.object({
  /** `week`: seven days, `year`: twelve months, the last of which holds `at`; `range`: from `from` to `to`, in whole days. */
  period: z.enum(['day', 'week', 'month', 'year', 'range']).default('day'),
  /** A moment within the period, in ms since 1970; absent = now. */
  at: TimeMs.optional(),
  /** First moment of a `range`, in ms since 1970; absent = a day before `to`. Other periods ignore it. */
  from: TimeMs.optional(),
  /** Last moment of a `range`, in ms since 1970; absent = now. Other periods ignore it. */
  to: TimeMs.optional(),
  /** Calendar of months and years. Days are those of the panel's time zone. */
  calendar: z.enum(['gregory', 'persian']).default('gregory'),
});
export type HistoryQuery = z.output<typeof PeriodQuery> & SubjectQuery;

const Compared = z.object({
  up: z.int(),
  down: z.int(),
  /** The previous period, up to the same point in time. */
  before: Bytes,
});

export const TrafficHistory = z.object({
  from: z.int(),
  to: z.int(),
  /** Time span of one bar. */
  step: z.enum(['hour', 'quarterDay', 'day', 'month']),
  /** Starts of the bars, in ms since 1970, and the end of the last one. */
  edges: z.array(z.int()),
  /** The sources, largest first; `up[i]` and `down[i]` are bytes of the bar that begins at `edges[i]`. */
  sources: z.array(
    z.object({
      /** Whose core counted: `core` this panel's, `node` that of a node. */
      kind: z.enum(['core', 'node']),
      /** GUID of the panel whose core counted. */
      guid: z.string(),
      /** Name of the node; empty for this panel's core and for a node that no longer exists. */
      name: z.string(),
      /** Uploaded bytes, one number per bar. */
      up: z.array(z.int()),
      /** Downloaded bytes, one number per bar. */
      down: z.array(z.int()),
    }),
  ),
  /** Bytes of the whole period. */
  total: Bytes,
  /** The preceding period of the same length, up to the same point while the current one is not over. */
  before: Bytes.extend({ from: z.int(), to: z.int() }),
  /** Bytes since midnight in the panel's time zone. */
  today: Compared,
  /** Bytes of this month, in the requested calendar. */
  month: Compared,
  /** The panel's clock, in ms since 1970. */
  now: z.int(),
  /** Time zone of the days, as an IANA name; empty = that of the panel's machine. */
  timeZone: z.string(),
});
export type TrafficHistory = z.output<typeof TrafficHistory>;

export const readHistory = endpoint('GET', '/panel/api/traffic/history', {
  summary:
    'What a client, a group, an inbound, a node or all clients moved in a period, by source, with the period before.',
  query: SubjectQuery.extend(PeriodQuery.shape),
  result: TrafficHistory,
});

export const HoursOfDay = z.object({
  /** Number of days evaluated, including today. */
  days: z.int(),
  /** Uploaded bytes on all these days, by hour, starting at midnight in the panel's time zone. */
  up: z.array(z.int()).length(24),
  /** Downloaded bytes on all these days, by hour, starting at midnight in the panel's time zone. */
  down: z.array(z.int()).length(24),
});

export const readHours = endpoint('GET', '/panel/api/traffic/hours', {
  summary: 'At which hours of the day traffic was moved, over the last thirty days.',
  query: SubjectQuery,
  result: HoursOfDay,
});

export const TopClients = z.object({
  /**
   * First moment of the range, in ms since 1970: later than requested where the per-client days before it are no longer
   * kept; 62 days are.
   */
  from: z.int(),
  to: z.int(),
  /**
   * End of what is counted here, in ms since 1970, 0 = nothing yet: entries are added once their five minutes are over.
   */
  countedUntil: z.int(),
  /** Bytes of all clients, both directions together. */
  bytes: z.int(),
  /** Number of clients with traffic. */
  clientCount: z.int(),
  /** Clients with the most traffic, largest first. */
  clients: z.array(
    z.object({
      email: z.string(),
      /** Bytes of the client, both directions together. */
      bytes: z.int(),
    }),
  ),
});

export const readTopClients = endpoint('GET', '/panel/api/traffic/top', {
  summary: 'The clients that moved most in a period.',
  query: PeriodQuery.extend({
    /** Number of clients to return, 1 to 100. */
    limit: z
      .string()
      .regex(/^\d{1,3}$/)
      .default('10')
      .transform(Number)
      .pipe(z.int().min(1).max(100)),
  }),
  result: TopClients,
});
