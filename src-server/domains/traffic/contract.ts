import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

/** Longest time of day a Date can hold, in ms. */
const MAX_TIME_MS = 8_640_000_000_000_000;
const TimeMs = z
  .string()
  .regex(/^\d{1,16}$/, 'must be a time in whole ms since the epoch')
  .transform(Number)
  .pipe(z.int().max(MAX_TIME_MS));

const Bytes = z.object({ up: z.int(), down: z.int() });

/**
 * Where the bytes of an entry come from: `core` this panel's core, `node` another panel's; the others are bookkeeping that
 * explains a jump of the counters. `reset` entries take away what was counted before.
 */
export const LedgerSource = z.enum(['core', 'node', 'reset', 'manual', 'opening']);

/** One bucket of one source. `up` and `down` are bytes and negative where a reset took them away. */
export const LedgerBucket = z.object({
  /** Start in ms since the epoch. */
  start: z.int(),
  /** Length in seconds: the one asked for, or longer where older entries have been rolled up. */
  seconds: z.int(),
  source: LedgerSource,
  /** GUID of the panel whose core counted; empty for bookkeeping. */
  guid: z.string(),
  up: z.int(),
  down: z.int(),
});

export const ClientLedger = z.object({
  email: z.string(),
  /** The client's counters. */
  counters: Bytes,
  /** Sum of the whole ledger; equal to the counters unless something outside the panel wrote to its database. */
  ledger: Bytes,
  from: z.int(),
  to: z.int(),
  buckets: z.array(LedgerBucket),
});

const EmailParam = z.object({ email: z.string().max(1024) });

export const readLedger = endpoint({
  method: 'GET',
  path: '/panel/api/clients/ledger/:email',
  summary: 'What a client moved, by time bucket and source, with the resets in between',
  params: EmailParam,
  query: z.object({
    /** First ms; absent = 24 hours before `to`. */
    from: TimeMs.optional(),
    /** First ms after the range; absent = now. */
    to: TimeMs.optional(),
    /** Bucket length in seconds; absent = 300 up to two days, 3600 up to 60 days, else 86400. */
    bucket: z.enum(['300', '3600', '86400']).transform(Number).optional(),
  }),
  result: ClientLedger,
});

export const recountLedger = endpoint({
  method: 'POST',
  path: '/panel/api/clients/ledger/:email/recount',
  summary: "Sets a client's counters to the sum of its ledger",
  params: EmailParam,
  result: z.object({ before: Bytes, after: Bytes }),
  message: 'traffic.recounted',
});
