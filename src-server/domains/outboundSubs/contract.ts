import * as z from 'zod';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { FormFlag } from '../../contract/fields/form-flag.ts';
import { line } from '../../contract/fields/line.ts';

const BASE = '/panel/api/core/outbound-subs';

/** Default seconds between two fetches. */
export const DEFAULT_INTERVAL_SEC = 600;
/** A year; anything longer is a typo. */
const MAX_INTERVAL_SEC = 31_536_000;

/** An entry of a provider that is not used, and why. */
export const LeftOutEntry = z.object({
  /** Tag that its outbound would have. */
  tag: z.string(),
  reason: z.string(),
});
export type LeftOutEntry = z.infer<typeof LeftOutEntry>;

/** A remote list of servers whose outbounds run next to those of the template. */
export const OutboundSub = z.object({
  id: z.int(),
  remark: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  /** Whether the host of the URL may be in an internal network. */
  allowPrivate: z.boolean(),
  /** Whether its outbounds come before the template's: the first of them is then the default route. */
  prepend: z.boolean(),
  /** Prefix of its outbounds' tags, such as `sub1-`. */
  tagPrefix: z.string(),
  /** Seconds between two fetches. */
  updateInterval: z.int(),
  /** Order among subscriptions, smallest first. */
  priority: z.int(),
  /** Time of the last successful fetch, in seconds since 1970; 0 = none. */
  lastUpdated: z.int(),
  /**
   * Current problem: the last fetch failed (the old outbounds keep running), or entries were left out. Empty = none.
   */
  lastError: z.string(),
  outboundCount: z.int(),
  /** Entries of the last fetch that the core refuses; the others run. */
  leftOut: z.array(LeftOutEntry),
  /** When it was created, in ms since 1970. */
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type OutboundSub = z.infer<typeof OutboundSub>;

/** An outbound in the core's format. */
export const SubscribedOutbound = z.record(z.string(), z.unknown());

/** Result of a preview; nothing is stored. */
export const OutboundSubPreview = z.object({
  /** Outbounds in the core's format. */
  outbounds: z.array(SubscribedOutbound),
  /** Entries that the core would refuse, with the reason. */
  leftOut: z.array(LeftOutEntry),
});
export type OutboundSubPreview = z.infer<typeof OutboundSubPreview>;

const OnByDefault = FormFlag.transform((flag) => flag ?? true);
const OffByDefault = FormFlag.transform((flag) => flag ?? false);
/** Seconds; anything that is no positive whole number = the default. */
const Interval = z
  .union([z.number(), z.string(), z.null()], { error: 'field.interval' satisfies FieldCode })
  .transform((given) => {
    const text = String(given).trim();
    const seconds = /^\d+$/.test(text) ? Number(text) : 0;
    return Math.min(seconds || DEFAULT_INTERVAL_SEC, MAX_INTERVAL_SEC);
  });

const Fields = {
  /** Display name. */
  remark: line(256).optional(),
  /** URL of the list, http or https; must be on the public internet unless `allowPrivate` is set. */
  url: line(2048).optional(),
  /** Prefix of its outbounds' tags; blank = `subN-` with the smallest free number. */
  tagPrefix: line(64).optional(),
  /** Seconds between two fetches; anything that is no positive whole number = 600. */
  updateInterval: Interval.optional(),
  /** Whether its outbounds run; absent for a new one = yes. */
  enabled: OnByDefault.optional(),
  allowPrivate: OffByDefault.optional(),
  prepend: OffByDefault.optional(),
};

/** Form fields of a subscription. Absent on an update = unchanged. */
export const OutboundSubForm = z.object(Fields);
export type OutboundSubForm = z.output<typeof OutboundSubForm>;

const IdPath = z.object({
  /** Id of the subscription. */
  id: z.string().max(1024),
});

export const listOutboundSubs = endpoint('GET', BASE, {
  summary: 'Outbound subscriptions, newest first; their order in the config is by priority.',
  result: z.array(OutboundSub),
});

export const createOutboundSub = endpoint('POST', BASE, {
  summary: 'Adds a subscription, fetches it and merges its outbounds. A failed fetch is told in lastError.',
  body: OutboundSubForm,
  result: OutboundSub,
  message: 'outboundSub.created',
  invalidMessage: 'outboundSub.createInvalid',
});

export const previewOutboundSub = endpoint('POST', `${BASE}/parse`, {
  onStandby: 'answers',
  summary:
    'Fetches and parses a subscription without storing anything; the outbounds, or with `details` also what is left out.',
  body: z.object({
    /** URL of the list, http or https. */
    url: line(2048).default(''),
    allowPrivate: OffByDefault.default(false),
    tagPrefix: line(64).default(''),
    /** `true` = the response is an object that also lists the entries left out. */
    details: OffByDefault.default(false),
  }),
  result: z.union([z.array(SubscribedOutbound), OutboundSubPreview]),
});

export const refreshOutboundSubs = endpoint('POST', `${BASE}/refresh`, {
  summary: 'Fetches every enabled subscription now, as a job; its result names what failed.',
  result: z.object({ jobId: z.string() }),
});

/** Result of that job. */
export const RefreshAllResult = z.object({
  refreshed: z.int(),
  failed: z.array(z.object({ id: z.int(), remark: z.string(), error: z.string() })),
});
export type RefreshAllResult = z.infer<typeof RefreshAllResult>;

export const updateOutboundSub = endpoint('POST', `${BASE}/:id`, {
  summary: 'Changes a subscription; absent fields stay. A new URL is fetched at once.',
  params: IdPath,
  body: OutboundSubForm,
  result: z.literal(''),
  message: 'outboundSub.updated',
  invalidMessage: 'outboundSub.updateInvalid',
});

export const deleteOutboundSub = endpoint('DELETE', `${BASE}/:id`, {
  summary: 'Deletes a subscription and its outbounds; an unknown id is no error.',
  params: IdPath,
  result: z.literal(''),
  message: 'outboundSub.deleted',
});

export const deleteOutboundSubByPost = endpoint('POST', `${BASE}/:id/del`, {
  summary: 'Deletes a subscription, for callers without DELETE.',
  params: IdPath,
  result: z.literal(''),
  message: 'outboundSub.deleted',
});

export const refreshOutboundSub = endpoint('POST', `${BASE}/:id/refresh`, {
  summary: 'Fetches one subscription now and gives the outbounds that run.',
  params: IdPath,
  result: z.array(SubscribedOutbound),
});

export const moveOutboundSub = endpoint('POST', `${BASE}/:id/move`, {
  summary: 'Swaps a subscription with its neighbour: `up` raises its priority, anything else lowers it.',
  params: IdPath,
  body: z.object({
    /** `up` = earlier; anything else = later. */
    dir: z.string().max(16).default(''),
  }),
  result: z.literal(''),
});
