import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { FormFlag } from '../../contract/form-flag.ts';
import { line } from '../../contract/line.ts';

const BASE = '/panel/api/server';

/** What a probe found out about a server as a target of REALITY. */
export const RealityScan = z.object({
  /** Dialled `host:port`; the discovered name when the server was probed by its address. */
  target: z.string(),
  host: z.string(),
  /** Address that answered; empty when none did. */
  ip: z.string(),
  port: z.int(),
  feasible: z.boolean(),
  /** It leads into an internal network and was not dialled. */
  privateTarget: z.boolean(),
  tls13: z.boolean(),
  tlsVersion: z.string(),
  h2: z.boolean(),
  alpn: z.string(),
  x25519: z.boolean(),
  curveID: z.string(),
  /** Trusted and valid for the name. */
  certValid: z.boolean(),
  /** Trusted, whatever its names. */
  certChainValid: z.boolean(),
  certSubject: z.string(),
  certIssuer: z.string(),
  /** RFC 3339; empty without a certificate. */
  notAfter: z.string(),
  serverNames: z.array(z.string()),
  /** Connection and handshake; 0 without a handshake. */
  latencyMs: z.int(),
  /** Why it is not feasible; empty when it is. */
  reason: z.string(),
});
export type RealityScan = z.infer<typeof RealityScan>;

const Flag = FormFlag.optional();

export const scanRealityTarget = endpoint({
  method: 'POST',
  path: `${BASE}/scanRealityTarget`,
  summary: 'Probes one server as a target of REALITY',
  encoding: 'either',
  body: z.object({
    /** `host` or `host:port`. */
    target: line(512).optional(),
    /** Name asked for; the host by default. */
    sni: line(253).optional(),
    /** Lets this one probe reach an address of an internal network. */
    allowPrivate: Flag,
  }),
  result: RealityScan,
});

export const scanRealityTargets = endpoint({
  method: 'POST',
  path: `${BASE}/scanRealityTargets`,
  summary:
    'Probes many servers as a job, the built-in list when none is named. Answers the results, best first, or with `background` the id of the job at once',
  encoding: 'either',
  body: z.object({
    /** Comma-separated domains, addresses, each with or without a port, and CIDRs. */
    targets: line(65_536).optional(),
    background: Flag,
  }),
  result: z.union([z.array(RealityScan), z.object({ jobId: z.string() })]),
});
