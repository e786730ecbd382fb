import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { FormFlag } from '../../contract/fields/form-flag.ts';
import { line } from '../../contract/fields/line.ts';

const BASE = '/panel/api/server';

/** Result of probing a server as a REALITY target. */
export const RealityScan = z.object({
  /** Host and port that were dialled, with the discovered name if an address was probed. */
  target: z.string(),
  /** Name that was requested or found in the certificate; the address if neither is known. */
  host: z.string(),
  /** Address that responded; empty when none did. */
  ip: z.string(),
  port: z.int(),
  /** Whether REALITY can imitate it: TLS 1.3, HTTP/2, X25519 and a valid certificate. */
  feasible: z.boolean(),
  /** Whether it points into an internal network and was not dialled. */
  privateTarget: z.boolean(),
  /** Whether it supports TLS 1.3. */
  tls13: z.boolean(),
  /** Negotiated TLS version, such as 1.3; empty without a handshake. */
  tlsVersion: z.string(),
  /** Whether it supports HTTP/2. */
  h2: z.boolean(),
  /** Protocol negotiated inside TLS (ALPN); empty = none. */
  alpn: z.string(),
  /** Whether the key exchange uses X25519, alone or with ML-KEM-768. */
  x25519: z.boolean(),
  /** Name of the negotiated key exchange; empty without a handshake. */
  curveID: z.string(),
  /** Whether the certificate is trusted and valid for the name. */
  certValid: z.boolean(),
  /** Whether the certificate is trusted, regardless of its names. */
  certChainValid: z.boolean(),
  /** Common name of the certificate, or its first name; empty = none. */
  certSubject: z.string(),
  /** Issuer of the certificate; empty = unknown. */
  certIssuer: z.string(),
  /** When the certificate ends, RFC 3339; empty without one. */
  notAfter: z.string(),
  /** Names in the certificate without wildcards, for `serverNames` of the inbound. */
  serverNames: z.array(z.string()),
  /** Time for connection and handshake, in ms; 0 without a handshake. */
  latencyMs: z.int(),
  /** Why it is not feasible; empty when it is. */
  reason: z.string(),
});
export type RealityScan = z.infer<typeof RealityScan>;

const Flag = FormFlag.optional();

export const scanRealityTarget = endpoint('POST', `${BASE}/scanRealityTarget`, {
  summary: 'Probes one server as a target of REALITY.',
  body: z.object({
    /** Server to probe, `host` or `host:port`. */
    target: line(512).optional(),
    /** Name to request (SNI); the host by default. */
    sni: line(253).optional(),
    /** Allows this one probe to reach an address of an internal network. */
    allowPrivate: Flag,
  }),
  result: RealityScan,
});

export const scanRealityTargets = endpoint('POST', `${BASE}/scanRealityTargets`, {
  summary:
    'Probes many servers as a job, the built-in list when none is named. Answers the results, best first, or with `background` the id of the job at once.',
  body: z.object({
    /**
     * Domains and addresses, each with or without a port, and CIDRs, separated by commas; empty = the built-in list.
     */
    targets: line(65_536).optional(),
    /** `true` = returns the id of a job at once; otherwise the response waits for the results. */
    background: Flag,
  }),
  result: z.union([z.array(RealityScan), z.object({ jobId: z.string() })]),
});
