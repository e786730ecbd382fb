import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { line } from '../../../contract/fields/line.ts';
import { NodeRefusal } from '../contract.ts';

const BASE = '/panel/api/nodes/enrolments';

/** Progress of the enrolment of a host as a node. */
export const Enrolment = z.object({
  /** Identifier of the enrolment, for requests about it. */
  id: z.string(),
  /** Name of the future node; empty = the host's name. */
  name: z.string(),
  /** Address of this panel for hosts. */
  url: z.string(),
  /**
   * `open`: a host can enrol with it until `expiresAt`; `used`: a host has enrolled; `expired`, `cancelled`: closed.
   */
  state: z.enum(['open', 'used', 'expired', 'cancelled']),
  /** When the ticket was made, in ms since 1970. */
  createdAt: z.int(),
  /** Until when a host can enrol with it, in ms since 1970. */
  expiresAt: z.int(),
  /** Number of the node created, or to be enrolled again; 0 = none yet. */
  nodeId: z.int(),
  /** Result of the last host that used the ticket; null = none has. */
  attempt: z
    .object({
      /** When it connected, in ms since 1970. */
      at: z.int(),
      /** Address that it connected from. */
      address: z.string(),
      /** Why it was rejected; null = it was accepted, or is being checked. */
      refusal: NodeRefusal.nullable(),
      /** The same in English; empty = it was accepted, or is being checked. */
      error: z.string(),
      /** Seconds by which its clock is ahead of this machine's; 0 = negligible, or not known. */
      clockOffSec: z.int(),
    })
    .nullable(),
});
export type Enrolment = z.infer<typeof Enrolment>;

const HostAddress = z.url({ protocol: /^https?$/ }).max(2_048);

export const createEnrolment = endpoint('POST', `${BASE}/create`, {
  summary: 'A ticket with which one host becomes a node within 30 minutes; it is shown only now.',
  body: z.object({
    /** Name of the future node; empty = the host's name. */
    name: line(256).default(''),
    /** Number of an existing node to enrol, replacing its token or a lost trunk; 0 = a new one. */
    nodeId: z.int().min(0).default(0),
    /** Address of this panel for hosts; empty = the address of this request. */
    url: z.union([z.literal(''), HostAddress]).default(''),
  }),
  result: z.object({
    /** The enrolment created. */
    enrolment: Enrolment,
    /** The ticket, to be given to the host. It is shown only once. */
    ticket: z.string(),
    /** Address of the installer for hosts without a panel; empty = this build has none. */
    installer: z.string(),
  }),
});

export const movePanel = endpoint('POST', `${BASE}/moved`, {
  summary:
    'Tells enrolled nodes where this panel is reached from now on, before it moves or afterwards; they try both.',
  body: z.object({ url: HostAddress }),
  result: z.object({
    /** Numbers of the nodes that have the new address now. */
    told: z.array(z.int()),
    /** Numbers of those that are not connected: they get it as soon as they are. */
    waiting: z.array(z.int()),
  }),
});

const ById = { params: z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) }) };

export const listEnrolments = endpoint('GET', `${BASE}/list`, {
  summary: 'Tickets that a host can still enrol with, without their secrets.',
  result: z.array(Enrolment),
});

export const getEnrolment = endpoint('GET', `${BASE}/get/:id`, {
  summary: 'How far a host has come that is to be a node, and what was wrong with the last one that came.',
  ...ById,
  result: Enrolment,
});

export const cancelEnrolment = endpoint('POST', `${BASE}/cancel/:id`, {
  summary: 'Makes a ticket worthless; a node that came of it stays.',
  ...ById,
  result: z.null(),
});
