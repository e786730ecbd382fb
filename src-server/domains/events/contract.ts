import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

/** Everything that is worth telling, in the order in which it is shown. */
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

/** Those that concern one client, who can be told as well. */
export const CLIENT_EVENT_KINDS = ['client.expiring', 'client.quota', 'client.depleted', 'client.expired'] as const;

/** Facts by name. A summary of many events has `count` and the first `names` in place of those of one. */
export const EventFacts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Why and how often a channel did not get an event. Ms since the epoch. */
export const FailedDelivery = z.object({
  /** Name of the channel, as the list of subscribers has it. */
  channel: z.string(),
  eventId: z.int(),
  /** What happened. */
  kind: EventKind,
  /** The same in a few words, in the language asked for. */
  title: z.string(),
  /** When it happened, in ms since 1970. */
  at: z.int(),
  /** How often it was tried. */
  attempts: z.int(),
  /** Why the last attempt failed. */
  error: z.string(),
});
export type FailedDelivery = z.output<typeof FailedDelivery>;

/** An event in the words of the language that was asked for. */
export const ShownEvent = z.object({
  id: z.int(),
  /** What happened. */
  kind: EventKind,
  /** When it happened, in ms since 1970. */
  at: z.int(),
  /** The same in a few words, in the language asked for. */
  title: z.string(),
  /** More about it, in that language; may be empty. */
  body: z.string(),
  /** What the words are made of, by name. */
  facts: EventFacts,
});
export type ShownEvent = z.output<typeof ShownEvent>;

const Language = z.string().max(35).default('en');

export const listEvents = endpoint('GET', '/panel/api/events/list', {
  summary: 'What happened, newest first, in words; `before` is the id of the last one of the page before.',
  query: z.object({
    /** Language of the words, such as en or fa; an unknown one is answered in English. */
    language: Language,
    /** Event kinds, separated by commas; empty = those that the list of the panel shows. */
    kinds: z.string().max(1024).default(''),
    /** Id of the last event of the page before, 0 = from the newest on. */
    before: z.coerce.number().int().min(0).default(0),
    /** Events of a page, 1 to 100. */
    limit: z.coerce.number().int().min(1).max(100).default(30),
  }),
  result: z.object({
    /** Events of this page, newest first. */
    events: z.array(ShownEvent),
    /** Events of the panel's list that nobody has seen; counted up to 100. */
    unread: z.int(),
    /** Id of the last event that was seen, 0 = none. */
    readUpTo: z.int(),
  }),
});

export const markEventsRead = endpoint('POST', '/panel/api/events/read', {
  summary: 'Marks everything up to an event as seen.',
  body: z.object({
    /** Id of the last event that was seen. */
    upTo: z.int().min(0),
  }),
  encoding: 'json',
  result: z.object({
    /** Events that nobody has seen; counted up to 100. */
    unread: z.int(),
  }),
});

/** A subscriber of the grid "events by subscriber". */
export const Subscriber = z.object({
  /** Name of its channel; `panel` is the list in the panel itself. */
  name: z.string(),
  /** Its own name, where there are several of a kind; empty for the others. */
  label: z.string(),
  /** Setting that holds its kinds as a comma list; empty when they are kept elsewhere. */
  setting: z.enum([
    '',
    'tgEnabledEvents',
    'smtpEnabledEvents',
    'smtpClientEvents',
    'panelEnabledEvents',
    'desktopEnabledEvents',
  ]),
  /** Kinds that it is told of. */
  kinds: z.array(EventKind),
  /** Kinds that can be chosen. */
  offers: z.array(EventKind),
  /** Whether it is switched on at all. */
  isOn: z.boolean(),
  /** Deliveries that wait. */
  waiting: z.int(),
  /** Deliveries that were given up. */
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
    /** Language of the words, such as en or fa; an unknown one is answered in English. */
    language: Language,
  }),
  result: z.array(FailedDelivery),
});

export const retryDelivery = endpoint('POST', '/panel/api/events/retry', {
  summary: 'Puts a delivery that was given up back into the queue.',
  body: z.object({
    /** Name of the channel, as the list of subscribers has it. */
    channel: z.string().max(64),
    eventId: z.int().min(1),
  }),
  encoding: 'json',
  result: z.null(),
});

/** Address of the page where the thing is that an event is about. */
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
