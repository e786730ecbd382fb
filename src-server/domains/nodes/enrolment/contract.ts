import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { line } from '../../../contract/line.ts';
import { NodeRefusal } from '../contract.ts';

const BASE = '/panel/api/nodes/enrolments';

/** How far a host has come that is to be a node. */
export const Enrolment = z.object({
  /** Name of the enrolment, for the calls about it. */
  id: z.string(),
  /** Name of the node that is to be; empty = as the host is called. */
  name: z.string(),
  /** Where hosts reach this panel. */
  url: z.string(),
  /** `open`: a host can enrol with it until `expiresAt`; `used`: one has; `expired`, `cancelled`: none can any more. */
  state: z.enum(['open', 'used', 'expired', 'cancelled']),
  /** Until when a host can enrol with it, in ms since 1970. */
  expiresAt: z.int(),
  /** Number of the node that came of it, or is to enrol again; 0 = none yet. */
  nodeId: z.int(),
  /** What came of the last host that came with it; null = none has come. */
  attempt: z
    .object({
      /** When it came, in ms since 1970. */
      at: z.int(),
      /** Address that it came from. */
      address: z.string(),
      /** Why it was not taken; null = it was, or is being looked at. */
      refusal: NodeRefusal.nullable(),
      /** The same in English; empty = it was taken, or is being looked at. */
      error: z.string(),
      /** Seconds by which its clock is ahead of this machine's; 0 = not by much, or not known. */
      clockOffSec: z.int(),
    })
    .nullable(),
});
export type Enrolment = z.infer<typeof Enrolment>;

const HostAddress = z.url({ protocol: /^https?$/ }).max(2_048);

export const createEnrolment = endpoint('POST', `${BASE}/create`, {
  summary: 'A ticket with which one host becomes a node within 30 minutes; it is shown only now.',
  body: z.object({
    /** Name of the node that is to be; empty = as the host is called. */
    name: line(256).default(''),
    /** Number of an existing node that is to enrol, in the place of its token or of a trunk that is lost; 0 = a new one. */
    nodeId: z.int().min(0).default(0),
    /** Address of this panel as hosts reach it; empty = as it was asked just now. */
    url: z.union([z.literal(''), HostAddress]).default(''),
  }),
  result: z.object({
    /** How far it is. */
    enrolment: Enrolment,
    /** The ticket, to be given to the host. It is shown only now. */
    ticket: z.string(),
    /** Address of the installer for hosts without a panel; empty = this build names none. */
    installer: z.string(),
  }),
});

export const movePanel = endpoint('POST', `${BASE}/moved`, {
  summary:
    'Tells enrolled nodes where this panel is reached from now on, before it moves or afterwards; they try both.',
  body: z.object({ url: HostAddress }),
  result: z.object({
    /** Numbers of the nodes that know it now. */
    told: z.array(z.int()),
    /** Numbers of those that are not connected: they are told as soon as they are. */
    waiting: z.array(z.int()),
  }),
});

const ById = { params: z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) }) };

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
