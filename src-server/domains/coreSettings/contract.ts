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
  outboundTestUrl: z.string(),
  /** Outbounds of outbound subscriptions that run beside the template's, in order; absent when there are none. */
  subscriptionOutbounds: z.array(z.record(z.string(), z.unknown())).optional(),
  /** Their tags, as rules can name them. */
  subscriptionOutboundTags: z.array(z.string()).optional(),
});
export type CoreSettings = z.infer<typeof CoreSettings>;

export const getCoreSettings = endpoint({
  method: 'POST',
  path: `${BASE}/`,
  summary: 'The core template with the names its rules can use',
  result: CoreSettings,
});

export const getDefaultJsonConfig = endpoint({
  method: 'GET',
  path: `${BASE}/getDefaultJsonConfig`,
  summary: 'The built-in core template',
  result: z.record(z.string(), z.unknown()),
});

/** One thing that a save touches in the running core. */
export const PlannedChange = z.object({
  part: z.enum(['inbound', 'outbound', 'users', 'routing']),
  /** Tag of the inbound or outbound; empty for routing. */
  name: z.string(),
  action: z.enum(['added', 'removed', 'changed']),
});

/** What a save would do, said before it is made. */
export const SavePlan = z.object({
  kind: z.enum(['unchanged', 'live', 'restart', 'notRunning']),
  /** Why a restart is unavoidable; empty otherwise. */
  reason: z.string(),
  changes: z.array(PlannedChange),
});
export type SavePlan = z.infer<typeof SavePlan>;

export const previewCoreSettings = endpoint({
  method: 'POST',
  path: `${BASE}/preview`,
  summary: 'Checks a template as a save does and says whether saving it is live or restarts the core; stores nothing',
  encoding: 'either',
  body: z.object({ xraySetting: z.string().min(1).max(MAX_TEMPLATE) }),
  result: SavePlan,
});

export const updateCoreSettings = endpoint({
  method: 'POST',
  path: `${BASE}/update`,
  summary: 'Saves the core template; applied live where the core can take it, by a restart otherwise',
  encoding: 'either',
  body: z.object({
    xraySetting: z.string().min(1).max(MAX_TEMPLATE),
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
  total: z.int(),
});
export type OutboundTraffic = z.infer<typeof OutboundTraffic>;

/** Most links of one text that is read. */
const MAX_LINKS_TEXT = 1024 * 1024;

export const parseLink = endpoint({
  method: 'POST',
  path: `${BASE}/parseLink`,
  summary: 'Reads share links, one a line or a base64 body of them, into outbounds; stores nothing',
  encoding: 'either',
  body: z.object({ link: z.string().trim().min(1).max(MAX_LINKS_TEXT) }),
  result: z.object({
    /** Tagged with the name in the link, which may be empty or taken. */
    outbounds: z.array(z.record(z.string(), z.unknown())),
    /** Lines that describe no outbound, in order. */
    refused: z.array(z.object({ link: z.string(), error: z.string() })),
  }),
});

export const getOutboundsTraffic = endpoint({
  method: 'GET',
  path: `${BASE}/getOutboundsTraffic`,
  summary: 'Counted bytes per outbound, outbounds that are gone included',
  result: z.array(OutboundTraffic),
});

/** As `tag`: resets every outbound. */
export const ALL_TAGS = '-alltags-';

export const resetOutboundsTraffic = endpoint({
  method: 'POST',
  path: `${BASE}/resetOutboundsTraffic`,
  summary: 'Zeroes the counters of one outbound, or of all with -alltags-',
  encoding: 'either',
  body: z.object({ tag: line(1024).min(1) }),
  result: z.literal(''),
});

export const getCoreResult = endpoint({
  method: 'GET',
  path: `${BASE}/getCoreResult`,
  summary: 'Latest output of a core that does not run; empty while it runs',
  result: z.string(),
});

export const getPreviousRun = endpoint({
  method: 'GET',
  path: `${BASE}/previousRun`,
  summary: 'Output of the run of the core before this one, and how it ended; null before a first end',
  result: z
    .object({
      endedAt: z.int(),
      /** Empty when the panel ended it. */
      how: z.string(),
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
  success: z.boolean(),
  delay: z.int(),
  /** What ran: an outbound over UDP is never only dialled. */
  mode: z.enum(['tcp', 'http', 'real']),
  error: z.string().optional(),
  httpStatus: z.int().optional(),
  /** To the local end of the temporary core. */
  connectMs: z.int().optional(),
  /** The chain and the TLS of the target. */
  tlsMs: z.int().optional(),
  ttfbMs: z.int().optional(),
  endpoints: z
    .array(z.object({ address: z.string(), success: z.boolean(), delay: z.int(), error: z.string().optional() }))
    .optional(),
});

export const testOutbound = endpoint({
  method: 'POST',
  path: `${BASE}/testOutbound`,
  summary: 'Tests one outbound, given as JSON text',
  encoding: 'either',
  body: z.object({ outbound: JsonText.default(''), allOutbounds: JsonText.default(''), mode: TestMode }),
  result: OutboundTest,
});

export const testOutbounds = endpoint({
  method: 'POST',
  path: `${BASE}/testOutbounds`,
  summary:
    'Tests up to 50 outbounds in one temporary core; answers in their order, or with `background` the id of the job at once',
  encoding: 'either',
  body: z.object({
    outbounds: JsonText.default(''),
    allOutbounds: JsonText.default(''),
    mode: TestMode,
    background: Flag,
  }),
  result: z.union([z.array(OutboundTest), z.object({ jobId: z.string() })]),
});

const Tag = line(1024).default('');

export const BalancerStatus = z.object({
  tag: z.string(),
  /** False as well for a balancer that the running core does not have. */
  running: z.boolean(),
  override: z.string(),
  /** Target that was overridden with until the core restarted; absent when there was none or it was chosen anew since. */
  clearedOverride: z.string().optional(),
  selected: z.array(z.string()),
});
export type BalancerStatus = z.infer<typeof BalancerStatus>;

export const balancerStatus = endpoint({
  method: 'POST',
  path: `${BASE}/balancerStatus`,
  summary: 'Targets and overrides of balancers in the running core',
  encoding: 'either',
  body: z.object({ tags: line(65_536).default('') }),
  result: z.record(z.string(), BalancerStatus),
});

export const balancerOverride = endpoint({
  method: 'POST',
  path: `${BASE}/balancerOverride`,
  summary: 'Sends a balancer to one target until the core restarts or it is taken back with an empty one',
  encoding: 'either',
  body: z.object({ tag: Tag, target: Tag }),
  result: z.literal(''),
});

export const RouteAnswer = z.object({
  /** False: no rule matches, the default outbound is taken. */
  matched: z.boolean(),
  outboundTag: z.string(),
  groupTags: z.array(z.string()).optional(),
});
export type RouteAnswer = z.infer<typeof RouteAnswer>;

export const routeTest = endpoint({
  method: 'POST',
  path: `${BASE}/routeTest`,
  summary: 'Which outbound the running core would pick; no traffic is sent',
  encoding: 'either',
  body: z.object({
    domain: line(253).default(''),
    ip: line(64).default(''),
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
    network: z
      .enum(['tcp', 'udp', ''])
      .default('tcp')
      .transform((network) => (network === '' ? 'tcp' : network)),
    inboundTag: Tag,
    protocol: line(64).default(''),
    email: line(256).default(''),
  }),
  result: RouteAnswer,
});
