import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/core';

/** Longest template in characters. With large routing lists it may have megabytes; the body limit is above. */
const MAX_TEMPLATE = 8 * 1024 * 1024;

const WebUrl = z.url({ protocol: /^https?$/, hostname: /./ });

/** What outbound tests fetch; empty = the built-in URL, which answers with HTTP 204. */
export const OutboundTestUrl = z
  .string()
  .trim()
  .max(2048)
  .refine((text) => text === '' || WebUrl.safeParse(text).success, {
    message: 'must be an http or https URL, or empty for the built-in one',
    params: { rule: 'format', param: 'url' },
  });

export const CoreSettings = z.object({
  /** The core template as JSON text. */
  xraySetting: z.string(),
  /** Tags of all inbounds, as JSON text. */
  inboundTags: z.string(),
  /** Distinct reverse tags of vless clients, as JSON text. */
  clientReverseTags: z.string(),
  outboundTestUrl: z.string(),
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

export const updateCoreSettings = endpoint({
  method: 'POST',
  path: `${BASE}/update`,
  summary: 'Saves the core template; applied live where the core can take it, by a restart otherwise',
  encoding: 'either',
  body: z.object({
    xraySetting: z.string().min(1).max(MAX_TEMPLATE),
    outboundTestUrl: OutboundTestUrl.default(''),
  }),
  /** How the running core took it. */
  result: z.object({ applied: z.enum(['unchanged', 'live', 'restarted', 'notRunning']) }),
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
  body: z.object({ tag: z.string().min(1).max(1024) }),
  result: z.literal(''),
});

export const getCoreResult = endpoint({
  method: 'GET',
  path: `${BASE}/getCoreResult`,
  summary: 'Latest output of a core that does not run; empty while it runs',
  result: z.string(),
});
