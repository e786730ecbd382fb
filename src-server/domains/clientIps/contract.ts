import * as z from 'zod';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';

const CLIENTS = '/panel/api/clients';
const SERVER = '/panel/api/server';
const EmailParam = z.object({ email: z.string().max(1024) });

/** An address with the second at which it was last seen, since 1970. */
export const SeenAddress = z.object({
  /** IP address of the client. */
  ip: z.string(),
  /** When it was seen last, in seconds since 1970. */
  timestamp: z.int(),
});

export const clientIps = endpoint('POST', `${CLIENTS}/ips/:email`, {
  onStandby: 'answers',
  summary: 'Addresses a client was seen at within the last half hour, newest first, as `ip (time)` in local time.',
  params: EmailParam,
  result: z.array(z.string()),
});

export const clearClientIps = endpoint('POST', `${CLIENTS}/clearIps/:email`, {
  summary: "Forgets a client's addresses and lifts what its IP limit blocks.",
  params: EmailParam,
  result: z.null(),
  message: 'clientIps.cleared',
});

export const clientIpsByGuid = endpoint('POST', `${CLIENTS}/clientIpsByGuid`, {
  onStandby: 'answers',
  summary: 'Addresses by the panel whose core saw them and by e-mail.',
  result: z.record(z.string(), z.record(z.string(), z.array(SeenAddress))),
});

export const onlinesByGuid = endpoint('POST', `${CLIENTS}/onlinesByGuid`, {
  onStandby: 'answers',
  summary: 'Online e-mails by the panel that hosts them.',
  result: z.record(z.string(), z.array(z.string())),
});

/** Most addresses per client in a push; the newest are kept. */
const MAX_PUSHED = 1_000;
/** Entries of another panel: text without a time, as old panels stored it, is ignored. */
const PushedAddress = z.union([
  z.object({ ip: z.string().max(64), timestamp: z.int().min(0) }),
  z
    .string()
    .max(64)
    .transform(() => null),
]);
const PushedAddresses = z.array(PushedAddress).max(MAX_PUSHED).nullable();
/** A client of such a table. Parsed row by row: parsing a table of 200,000 at once would block everything else. */
export const PushedRow = z.object({
  clientEmail: z.string().max(1024).default(''),
  ips: z
    .union([
      PushedAddresses,
      z
        .string()
        .max(200_000)
        .transform((text, ctx): unknown => {
          try {
            return text === '' ? null : (JSON.parse(text) as unknown);
          } catch {
            ctx.addIssue({ code: 'custom', message: 'field.addresses' satisfies FieldCode });
            return z.NEVER;
          }
        })
        .pipe(PushedAddresses),
    ])
    .default(null),
});
export type PushedRow = z.output<typeof PushedRow>;
const PushedRows = z.array(z.unknown()).max(200_000);

export const InboundClientIps = z.object({
  /** The client's id on this panel; 0 for a client known only elsewhere. */
  id: z.int(),
  /** Name of the client. */
  clientEmail: z.string(),
  /** Its addresses, each with the time it was last seen. */
  ips: z.array(SeenAddress),
});

export const listClientIps = endpoint('GET', `${SERVER}/clientIps`, {
  summary: 'Every client with its addresses of the last half hour, from every observer.',
  result: z.array(InboundClientIps),
});

export const mergeClientIps = endpoint('POST', `${SERVER}/clientIps`, {
  summary: 'Takes over addresses that another panel knows: the newer time of an address wins, old ones are dropped.',
  encoding: 'json',
  body: z.union([
    PushedRows.transform((ips) => ({ ips })),
    z.object({
      /** Clients with their addresses, in the format that a GET of the same address returns. */
      ips: PushedRows,
    }),
  ]),
  result: z.null(),
  message: 'clientIps.merged',
  invalidMessage: 'clientIps.invalid',
});

export const ipBanStatus = endpoint('GET', `${SERVER}/ipBanStatus`, {
  summary: 'Whether IP limits of clients can be enforced here, and how.',
  result: z.object({
    /** Always true: limits of clients are enforced where they can be. */
    enabled: z.boolean(),
    /** Always false: no ban tool is used and no firewall is touched. */
    installed: z.boolean(),
    /** Whether limits can be enforced: the core reports which addresses its clients use. */
    usable: z.boolean(),
    /** Whether this panel runs on Windows. */
    windows: z.boolean(),
    /** Limits are enforced by the core itself. */
    method: z.literal('core'),
    /** Whether open connections from an address over the limit are closed, besides refusing new ones. */
    cutsConnections: z.boolean(),
    /** Pairs of client and address that are currently refused. */
    blocked: z.int(),
    /** Explanation for this operating system. */
    note: z.string(),
  }),
});
