import * as z from 'zod';
import type { FieldCode } from '../../contract/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { FormFlag } from '../../contract/form-flag.ts';
import { line } from '../../contract/line.ts';

const BASE = '/panel/api/core';

/** Longest template in characters. With large routing lists it may have megabytes; the body limit is above. */
const MAX_TEMPLATE = 8 * 1024 * 1024;

const WebUrl = z.url({ protocol: /^https?$/, hostname: /./ });

/** What outbound tests fetch; empty = the built-in URL, which answers with HTTP 204. */
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
  /** Address that tests of outbounds fetch. */
  outboundTestUrl: z.string(),
  /** Outbounds of outbound subscriptions that run beside the template's, in order; absent when there are none. */
  subscriptionOutbounds: z.array(z.record(z.string(), z.unknown())).optional(),
  /** Their tags, as rules can name them. */
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

/** One thing that a save touches in the running core. */
export const PlannedChange = z.object({
  /** What is touched; `users` are the clients of an inbound. */
  part: z.enum(['inbound', 'outbound', 'users', 'routing']),
  /** Tag of the inbound or outbound; empty for routing. */
  name: z.string(),
  /** What happens to it. */
  action: z.enum(['added', 'removed', 'changed']),
});

/** What a save would do, said before it is made. */
export const SavePlan = z.object({
  /**
   * `unchanged`: nothing to do; `live`: taken without a restart; `restart`: the core restarts; `notRunning`: stored for
   * the next start.
   */
  kind: z.enum(['unchanged', 'live', 'restart', 'notRunning']),
  /** Why a restart is unavoidable; empty otherwise. */
  reason: z.string(),
  /** What the running core takes; empty unless it is `live`. */
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
    /** Address that tests of outbounds fetch, http or https; empty = the built-in one, which answers with status 204. */
    outboundTestUrl: OutboundTestUrl.default(''),
  }),
  result: z.object({
    /** How the running core took it. */
    applied: z.enum(['unchanged', 'live', 'restarted', 'notRunning']),
    /** Why it was restarted; empty otherwise. */
    reason: z.string(),
    /** What was touched without a restart. */
    changes: z.array(PlannedChange),
    /** What the core takes, but warns about, in its own words. */
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

/** Most links of one text that is read. */
const MAX_LINKS_TEXT = 1024 * 1024;

export const parseLink = endpoint('POST', `${BASE}/parseLink`, {
  onStandby: 'answers',
  summary: 'Reads share links, one a line or a base64 body of them, into outbounds; stores nothing.',
  body: z.object({
    /** Share links, one a line, or a base64 body of them. */
    link: z.string().trim().min(1).max(MAX_LINKS_TEXT),
  }),
  result: z.object({
    /** Outbounds as the core takes them, tagged with the name in the link, which may be empty or taken. */
    outbounds: z.array(z.record(z.string(), z.unknown())),
    /** Lines that describe no outbound, in order. */
    refused: z.array(
      z.object({
        /** The line as it was sent. */
        link: z.string(),
        /** Why it is none, in English. */
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
      /** How it ended, in English; empty = the panel ended it. */
      how: z.string(),
      /** Last lines that the core wrote, log and errors together. */
      output: z.string(),
    })
    .nullable(),
});

const JsonText = z.string().max(MAX_TEMPLATE);
/** `tcp`: dial alone. `http` or empty: a request through the outbound. `real`: the whole time of one cold request. */
const TestMode = z
  .enum(['tcp', 'http', 'real', ''])
  .default('http')
  .transform((mode) => (mode === '' ? 'http' : mode));
const Flag = FormFlag.optional();

/** Times in ms; members without a value are left out. */
export const OutboundTest = z.object({
  tag: z.string(),
  /** Whether it answered. */
  success: z.boolean(),
  /**
   * Latency in ms: of the dial, of a second request on the open connection (`http`), or of the whole first one
   * (`real`); 0 = it failed.
   */
  delay: z.int(),
  /** What was run: an outbound over UDP is never only dialled. */
  mode: z.enum(['tcp', 'http', 'real']),
  /** Why it failed, in English; absent = it did not. */
  error: z.string().optional(),
  /** Status of the answer; any counts as an answer. */
  httpStatus: z.int().optional(),
  /** Time to the local end of the temporary core, in ms. */
  connectMs: z.int().optional(),
  /** Time for the chain and the TLS of the target, in ms; 0 for a plain http target. */
  tlsMs: z.int().optional(),
  /** Time from the start to the first byte of the answer, in ms. */
  ttfbMs: z.int().optional(),
  /** Every address that was dialled; of the mode `tcp` only. */
  endpoints: z
    .array(
      z.object({
        /** Host and port that were dialled. */
        address: z.string(),
        /** Whether the connection was made. */
        success: z.boolean(),
        /** Time until it was made or failed, in ms. */
        delay: z.int(),
        /** Why it failed; absent = it did not. */
        error: z.string().optional(),
      }),
    )
    .optional(),
});

export const testOutbound = endpoint('POST', `${BASE}/testOutbound`, {
  summary: 'Tests one outbound, given as JSON text.',
  body: z.object({
    /** The outbound as JSON text, as the core reads it. */
    outbound: JsonText.default(''),
    /** JSON text of all outbounds of the template, so that chains can be followed; empty = none. */
    allOutbounds: JsonText.default(''),
    /**
     * `tcp`: the dial alone; `http` or empty: a request through the outbound; `real`: the whole time of one cold
     * request.
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
    /** JSON text of all outbounds of the template, so that chains can be followed; empty = none. */
    allOutbounds: JsonText.default(''),
    /**
     * `tcp`: the dial alone; `http` or empty: a request through the outbound; `real`: the whole time of one cold
     * request.
     */
    mode: TestMode,
    /** `true` = answers the id of a job at once; otherwise the answer waits for the results. */
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
  /** Target that an operator chose; empty = the strategy of the balancer decides. */
  override: z.string(),
  /** Target that an operator had chosen before the core restarted; absent = none, or one was chosen since. */
  clearedOverride: z.string().optional(),
  /** Tags of the outbounds that its strategy picks now. */
  selected: z.array(z.string()),
});
export type BalancerStatus = z.infer<typeof BalancerStatus>;

export const balancerStatus = endpoint('POST', `${BASE}/balancerStatus`, {
  onStandby: 'answers',
  summary: 'Targets and overrides of balancers in the running core.',
  body: z.object({
    /** Tags of balancers, separated by commas; unknown ones are answered as not running. */
    tags: line(65_536).default(''),
  }),
  result: z.record(z.string(), BalancerStatus),
});

export const balancerOverride = endpoint('POST', `${BASE}/balancerOverride`, {
  summary: 'Sends a balancer to one target until the core restarts or it is taken back with an empty one.',
  body: z.object({
    /** Tag of the balancer. */
    tag: Tag,
    /** Tag of the outbound, or of another balancer, that gets all its traffic; empty = no override any more. */
    target: Tag,
  }),
  result: z.literal(''),
});

export const RouteAnswer = z.object({
  /** Whether a rule matches; false = the default outbound is taken. */
  matched: z.boolean(),
  /** Tag of the outbound that a rule picks; empty = none does. */
  outboundTag: z.string(),
  /** Tags of the balancers on the way to that outbound; absent = none. */
  groupTags: z.array(z.string()).optional(),
});
export type RouteAnswer = z.infer<typeof RouteAnswer>;

export const routeTest = endpoint('POST', `${BASE}/routeTest`, {
  summary: 'Which outbound the running core would pick; no traffic is sent.',
  body: z.object({
    /** Destination by name; empty = by `ip`. One of the two is needed. */
    domain: line(253).default(''),
    /** Destination by address; empty = by `domain`. */
    ip: line(64).default(''),
    /** Port of the destination, 0 = none is given. */
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
    /** Tag of the inbound that the connection would come in by; empty = none. */
    inboundTag: Tag,
    /** Protocol that sniffing would find, such as http, tls or bittorrent; empty = none. */
    protocol: line(64).default(''),
    /** Client that would connect; empty = none. */
    email: line(256).default(''),
  }),
  result: RouteAnswer,
});
