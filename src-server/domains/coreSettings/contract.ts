import * as z from 'zod';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { FormFlag } from '../../contract/fields/form-flag.ts';
import { line } from '../../contract/fields/line.ts';

const BASE = '/panel/api/core';

/** Longest template in characters. Large routing lists can reach megabytes; the body limit is above. */
const MAX_TEMPLATE = 8 * 1024 * 1024;

const WebUrl = z.url({ protocol: /^https?$/, hostname: /./ });

/** URL that outbound tests fetch; empty = the built-in URL, which answers with HTTP 204. */
export const OutboundTestUrl = z
  .string()
  .trim()
  .max(2048)
  .refine((text) => text === '' || WebUrl.safeParse(text).success, 'field.testUrl' satisfies FieldCode);

export const CoreSettings = z.object({
  /** The core template as JSON text. */
  xraySetting: z.string(),
  /** Tags of all inbounds, as JSON text. */
  inboundTags: z.string(),
  /** Distinct reverse tags of vless clients, as JSON text. */
  clientReverseTags: z.string(),
  /** URL that outbound tests fetch. */
  outboundTestUrl: z.string(),
  /** Outbounds of outbound subscriptions that run next to the template's, in order; absent when there are none. */
  subscriptionOutbounds: z.array(z.record(z.string(), z.unknown())).optional(),
  /** Their tags, as used in rules. */
  subscriptionOutboundTags: z.array(z.string()).optional(),
});
export type CoreSettings = z.infer<typeof CoreSettings>;

export const getCoreSettings = endpoint('POST', `${BASE}/`, {
  onStandby: 'answers',
  summary: 'The core template with the names its rules can use.',
  result: CoreSettings,
});

export const getDefaultJsonConfig = endpoint('GET', `${BASE}/getDefaultJsonConfig`, {
  summary: 'The built-in core template.',
  result: z.record(z.string(), z.unknown()),
});

/** One change that a save makes in the running core. */
export const PlannedChange = z.object({
  /** What is changed; `users` are the clients of an inbound. */
  part: z.enum(['inbound', 'outbound', 'users', 'routing']),
  /** Tag of the inbound or outbound; empty for routing. */
  name: z.string(),
  /** What is done to it. */
  action: z.enum(['added', 'removed', 'changed']),
});

/** The effect of a save, computed without saving. */
export const SavePlan = z.object({
  /**
   * `unchanged`: nothing to do; `live`: applied without a restart; `restart`: the core restarts; `notRunning`: stored
   * for the next start.
   */
  kind: z.enum(['unchanged', 'live', 'restart', 'notRunning']),
  /** Why a restart is necessary; empty otherwise. */
  reason: z.string(),
  /** Changes applied to the running core; empty unless it is `live`. */
  changes: z.array(PlannedChange),
});
export type SavePlan = z.infer<typeof SavePlan>;

export const previewCoreSettings = endpoint('POST', `${BASE}/preview`, {
  onStandby: 'answers',
  summary: 'Checks a template as a save does and says whether saving it is live or restarts the core; stores nothing.',
  body: z.object({
    /** The core template as JSON text. */
    xraySetting: z.string().min(1).max(MAX_TEMPLATE),
  }),
  result: SavePlan,
});

export const updateCoreSettings = endpoint('POST', `${BASE}/update`, {
  summary: 'Saves the core template; applied live where the core can take it, by a restart otherwise.',
  body: z.object({
    /** The core template as JSON text. */
    xraySetting: z.string().min(1).max(MAX_TEMPLATE),
    /** URL that outbound tests fetch, http or https; empty = the built-in one, which answers with status 204. */
    outboundTestUrl: OutboundTestUrl.default(''),
  }),
  result: z.object({
    /** How the change reached the running core. */
    applied: z.enum(['unchanged', 'live', 'restarted', 'notRunning']),
    /** Why it was restarted; empty otherwise. */
    reason: z.string(),
    /** Changes applied without a restart. */
    changes: z.array(PlannedChange),
    /** Warnings of the core about an accepted template, in its own words. */
    coreWarnings: z.array(z.string()),
  }),
  message: 'coreSettings.saved.unchanged',
});

/** Bytes since the last reset. */
export const OutboundTraffic = z.object({
  id: z.int(),
  tag: z.string(),
  up: z.int(),
  down: z.int(),
  /** Both directions together, in bytes. */
  total: z.int(),
});
export type OutboundTraffic = z.infer<typeof OutboundTraffic>;

/** Most links read from one text. */
const MAX_LINKS_TEXT = 1024 * 1024;

export const parseLink = endpoint('POST', `${BASE}/parseLink`, {
  onStandby: 'answers',
  summary: 'Reads share links, one a line or a base64 body of them, into outbounds; stores nothing.',
  body: z.object({
    /** Share links, one per line, or the same text in base64. */
    link: z.string().trim().min(1).max(MAX_LINKS_TEXT),
  }),
  result: z.object({
    /** Outbounds in the core's format, tagged with the name in the link, which may be empty or taken. */
    outbounds: z.array(z.record(z.string(), z.unknown())),
    /** Lines that are not an outbound, in order. */
    refused: z.array(
      z.object({
        /** The line as it was sent. */
        link: z.string(),
        /** Why the line is invalid, in English. */
        error: z.string(),
      }),
    ),
  }),
});

export const getOutboundsTraffic = endpoint('GET', `${BASE}/getOutboundsTraffic`, {
  summary: 'Counted bytes per outbound, outbounds that are gone included.',
  result: z.array(OutboundTraffic),
});

/** As `tag`: resets every outbound. */
export const ALL_TAGS = '-alltags-';

export const resetOutboundsTraffic = endpoint('POST', `${BASE}/resetOutboundsTraffic`, {
  summary: 'Zeroes the counters of one outbound, or of all with -alltags-.',
  body: z.object({ tag: line(1024).min(1) }),
  result: z.literal(''),
});

export const getCoreResult = endpoint('GET', `${BASE}/getCoreResult`, {
  summary: 'Latest output of a core that does not run; empty while it runs.',
  result: z.string(),
});

export const getPreviousRun = endpoint('GET', `${BASE}/previousRun`, {
  summary: 'Output of the run of the core before this one, and how it ended; null before a first end.',
  result: z
    .object({
      /** When it ended, in ms since 1970. */
      endedAt: z.int(),
      /** How it ended, in English; empty = the panel stopped it. */
      how: z.string(),
      /** Last lines of the core's output, log and errors together. */
      output: z.string(),
    })
    .nullable(),
});

const JsonText = z.string().max(MAX_TEMPLATE);
/** `tcp`: only dials. `http` or empty: a request through the outbound. `real`: the total time of one cold request. */
const TestMode = z
  .enum(['tcp', 'http', 'real', ''])
  .default('http')
  .transform((mode) => (mode === '' ? 'http' : mode));
const Flag = FormFlag.optional();

/** Times in ms; fields without a value are omitted. */
export const OutboundTest = z.object({
  tag: z.string(),
  /** Whether the test succeeded. */
  success: z.boolean(),
  /**
   * Latency in ms: of the dial, of a second request on the open connection (`http`), or of the complete first one
   * (`real`); 0 = it failed.
   */
  delay: z.int(),
  /** The test that was run: an outbound over UDP is never only dialled. */
  mode: z.enum(['tcp', 'http', 'real']),
  /** Why it failed, in English; absent = it succeeded. */
  error: z.string().optional(),
  /** HTTP status of the response; any status counts as success. */
  httpStatus: z.int().optional(),
  /** Time to connect to the temporary core, in ms. */
  connectMs: z.int().optional(),
  /** Time for the proxy chain and the target's TLS, in ms; 0 for a plain http target. */
  tlsMs: z.int().optional(),
  /** Time from the start to the first byte of the response, in ms. */
  ttfbMs: z.int().optional(),
  /** Every address that was dialled; only in mode `tcp`. */
  endpoints: z
    .array(
      z.object({
        /** Host and port that were dialled. */
        address: z.string(),
        /** Whether the connection succeeded. */
        success: z.boolean(),
        /** Time until it succeeded or failed, in ms. */
        delay: z.int(),
        /** Why it failed; absent = it succeeded. */
        error: z.string().optional(),
      }),
    )
    .optional(),
});

export const testOutbound = endpoint('POST', `${BASE}/testOutbound`, {
  summary: 'Tests one outbound, given as JSON text.',
  body: z.object({
    /** The outbound as JSON text, in the core's format. */
    outbound: JsonText.default(''),
    /** All outbounds of the template as JSON text, to resolve chains; empty = none. */
    allOutbounds: JsonText.default(''),
    /**
     * `tcp`: only dials; `http` or empty: a request through the outbound; `real`: the total time of one cold request.
     */
    mode: TestMode,
  }),
  result: OutboundTest,
});

export const testOutbounds = endpoint('POST', `${BASE}/testOutbounds`, {
  summary:
    'Tests up to 50 outbounds in one temporary core; answers in their order, or with `background` the id of the job at once.',
  body: z.object({
    /** Outbounds as the JSON text of a list, at most 50. */
    outbounds: JsonText.default(''),
    /** All outbounds of the template as JSON text, to resolve chains; empty = none. */
    allOutbounds: JsonText.default(''),
    /**
     * `tcp`: only dials; `http` or empty: a request through the outbound; `real`: the total time of one cold request.
     */
    mode: TestMode,
    /** `true` = returns the id of a job at once; otherwise the response waits for the results. */
    background: Flag,
  }),
  result: z.union([z.array(OutboundTest), z.object({ jobId: z.string() })]),
});

const Tag = line(1024).default('');

export const BalancerStatus = z.object({
  /** Tag of the balancer. */
  tag: z.string(),
  /** Whether the running core has this balancer. */
  running: z.boolean(),
  /** Target chosen by an operator; empty = the balancer's strategy decides. */
  override: z.string(),
  /** Target that an operator had chosen before the core restarted; absent = none, or one was chosen since. */
  clearedOverride: z.string().optional(),
  /** Tags of the outbounds that its strategy currently picks. */
  selected: z.array(z.string()),
});
export type BalancerStatus = z.infer<typeof BalancerStatus>;

export const balancerStatus = endpoint('POST', `${BASE}/balancerStatus`, {
  onStandby: 'answers',
  summary: 'Targets and overrides of balancers in the running core.',
  body: z.object({
    /** Tags of balancers, separated by commas; unknown ones are returned as not running. */
    tags: line(65_536).default(''),
  }),
  result: z.record(z.string(), BalancerStatus),
});

export const balancerOverride = endpoint('POST', `${BASE}/balancerOverride`, {
  summary: 'Sends a balancer to one target until the core restarts or it is taken back with an empty one.',
  body: z.object({
    /** Tag of the balancer. */
    tag: Tag,
    /** Tag of the outbound, or of another balancer, that gets all its traffic; empty = clears the override. */
    target: Tag,
  }),
  result: z.literal(''),
});

export const RouteResult = z.object({
  /** Whether a rule matches; false = the default outbound is used. */
  matched: z.boolean(),
  /** Tag of the outbound that a rule picks; empty = no rule does. */
  outboundTag: z.string(),
  /** Tags of the balancers on the way to that outbound; absent = none. */
  groupTags: z.array(z.string()).optional(),
});
export type RouteResult = z.infer<typeof RouteResult>;

export const routeTest = endpoint('POST', `${BASE}/routeTest`, {
  summary: 'Which outbound the running core would pick; no traffic is sent.',
  body: z.object({
    /** Destination as a name; empty = use `ip`. One of the two is required. */
    domain: line(253).default(''),
    /** Destination as an address; empty = use `domain`. */
    ip: line(64).default(''),
    /** Port of the destination, 0 = not given. */
    port: z
      .union(
        [
          z.int(),
          z
            .string()
            .regex(/^\d{0,5}$/)
            .transform(Number),
        ],
        'must be a port',
      )
      .default(0),
    /** Network of the connection; empty = tcp. */
    network: z
      .enum(['tcp', 'udp', ''])
      .default('tcp')
      .transform((network) => (network === '' ? 'tcp' : network)),
    /** Tag of the inbound through which the connection would come in; empty = none. */
    inboundTag: Tag,
    /** Protocol that sniffing would detect, such as http, tls or bittorrent; empty = none. */
    protocol: line(64).default(''),
    /** Client that would connect; empty = none. */
    email: line(256).default(''),
  }),
  result: RouteResult,
});
