import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

/** All kinds of events, in display order. */
export const EVENT_KINDS = [
  'core.crash',
  'cpu.high',
  'login.attempt',
  'node.down',
  'node.up',
  'outbound.down',
  'outbound.up',
  'client.expiring',
  'client.quota',
  'client.depleted',
  'client.expired',
  'client.addresses',
  'client.link',
  'traffic.quarantined',
  'directory.failed',
  'directory.held',
  'directory.resumed',
  'backup.failed',
  'certificate.failed',
  'certificate.expiring',
  'update.core',
  'update.panel',
] as const;
export const EventKind = z.enum(EVENT_KINDS);
export type EventKind = z.output<typeof EventKind>;

/** Kinds that concern one client, who can be notified as well. */
export const CLIENT_EVENT_KINDS = ['client.expiring', 'client.quota', 'client.depleted', 'client.expired'] as const;

/** Facts by name. A summary of many events has `count` and the first `names` instead of the facts of one event. */
export const EventFacts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Why and how often delivery to a channel failed. Times in ms since 1970. */
export const FailedDelivery = z.object({
  /** Name of the channel, as in the list of subscribers. */
  channel: z.string(),
  eventId: z.int(),
  /** Kind of the event. */
  kind: EventKind,
  /** Short text of the event, in the requested language. */
  title: z.string(),
  /** When it happened, in ms since 1970. */
  at: z.int(),
  /** Number of attempts. */
  attempts: z.int(),
  /** Why the last attempt failed. */
  error: z.string(),
});
export type FailedDelivery = z.output<typeof FailedDelivery>;

/** An event as text in the requested language. */
export const ShownEvent = z.object({
  id: z.int(),
  /** Kind of the event. */
  kind: EventKind,
  /** When it happened, in ms since 1970. */
  at: z.int(),
  /** Short text of the event, in the requested language. */
  title: z.string(),
  /** More details in that language; may be empty. */
  body: z.string(),
  /** Values used in the texts, by name. */
  facts: EventFacts,
});
export type ShownEvent = z.output<typeof ShownEvent>;

const Language = z.string().max(35).default('en');

export const listEvents = endpoint('GET', '/panel/api/events/list', {
  summary: 'What happened, newest first, in words; `before` is the id of the last one of the page before.',
  query: z.object({
    /** Language of the texts, such as en or fa; an unknown one falls back to English. */
    language: Language,
    /** Event kinds, separated by commas; empty = those shown in the panel's list. */
    kinds: z.string().max(1024).default(''),
    /** Id of the last event of the previous page; 0 = start with the newest. */
    before: z.coerce.number().int().min(0).default(0),
    /** Events per page, 1 to 100. */
    limit: z.coerce.number().int().min(1).max(100).default(30),
  }),
  result: z.object({
    /** Events of this page, newest first. */
    events: z.array(ShownEvent),
    /** Number of unread events in the panel's list, counted up to 100. */
    unread: z.int(),
    /** Id of the last event marked as read; 0 = none. */
    readUpTo: z.int(),
  }),
});

export const markEventsRead = endpoint('POST', '/panel/api/events/read', {
  summary: 'Marks everything up to an event as seen.',
  body: z.object({
    /** Id of the last event to mark as read. */
    upTo: z.int().min(0),
  }),
  encoding: 'json',
  result: z.object({
    /** Number of unread events, counted up to 100. */
    unread: z.int(),
  }),
});

/** A subscriber in the grid "events by subscriber". */
export const Subscriber = z.object({
  /** Name of its channel; `panel` is the list in the panel itself. */
  name: z.string(),
  /** Name that tells several of one kind apart; empty for the others. */
  label: z.string(),
  /** Setting that holds its kinds as a comma list; empty when they are stored elsewhere. */
  setting: z.enum([
    '',
    'tgEnabledEvents',
    'smtpEnabledEvents',
    'smtpClientEvents',
    'panelEnabledEvents',
    'desktopEnabledEvents',
  ]),
  /** Kinds it is subscribed to. */
  kinds: z.array(EventKind),
  /** Kinds it can subscribe to. */
  offers: z.array(EventKind),
  /** Whether it is enabled at all. */
  isOn: z.boolean(),
  /** Number of waiting deliveries. */
  waiting: z.int(),
  /** Number of deliveries that were given up. */
  dead: z.int(),
  lastError: z.string(),
});
export type Subscriber = z.output<typeof Subscriber>;

export const listSubscribers = endpoint('GET', '/panel/api/events/subscribers', {
  summary: 'Who is told of which kinds, and how their queues stand.',
  result: z.array(Subscriber),
});

export const listFailedDeliveries = endpoint('GET', '/panel/api/events/failed', {
  summary: 'Deliveries that were given up, newest first, at most 100.',
  query: z.object({
    /** Language of the texts, such as en or fa; an unknown one falls back to English. */
    language: Language,
  }),
  result: z.array(FailedDelivery),
});

export const retryDelivery = endpoint('POST', '/panel/api/events/retry', {
  summary: 'Puts a delivery that was given up back into the queue.',
  body: z.object({
    /** Name of the channel, as in the list of subscribers. */
    channel: z.string().max(64),
    eventId: z.int().min(1),
  }),
  encoding: 'json',
  result: z.null(),
});

/** Address of the page about the subject of an event. */
export function eventAddress({ kind, facts }: Pick<ShownEvent, 'kind' | 'facts'>): string {
  const { nodeId, email } = facts;
  if (kind.startsWith('node.')) return nodeId === undefined ? '/panel/nodes' : `/panel/nodes?show=${String(nodeId)}`;
  if (kind.startsWith('client.'))
    return typeof email === 'string' ? `/panel/clients?client=${encodeURIComponent(email)}` : '/panel/clients';
  if (kind.startsWith('directory.')) return '/panel/settings/directory';
  if (kind.startsWith('outbound.')) return '/panel/core/outbounds';
  switch (kind) {
    case 'core.crash':
      return '/panel/core/state';
    case 'login.attempt':
      return '/panel/settings/security';
    case 'backup.failed':
      return '/panel/settings/backup';
    case 'certificate.expiring':
      return '/panel/settings/general';
    case 'certificate.failed':
      return '/panel/settings/certificates';
    case 'update.core':
      return '/panel/core/state';
    case 'update.panel':
      return '/panel/about';
    default:
      return '/panel';
  }
}
