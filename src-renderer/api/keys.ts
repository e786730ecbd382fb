import type { Resource } from '#wire/events';

/** Roots of the query cache, one per domain; the rest of a key names the call and its input. */
export const keys = {
  clients: ['clients'],
  groups: ['groups'],
  plans: ['plans'],
  inbounds: ['inbounds'],
  outbounds: ['outbounds'],
  hosts: ['hosts'],
  nodes: ['nodes'],
  /** Servers that share a database. */
  servers: ['servers'],
  settings: ['settings'],
  core: ['core'],
  status: ['status'],
  history: ['history'],
  /** Charts: refetched by time, not by events. */
  traffic: ['traffic'],
  /** Saved views of lists. */
  views: ['views'],
  jobs: ['jobs'],
  events: ['events'],
  journal: ['journal'],
  /** Countries of IP addresses. */
  countries: ['countries'],
  /** Connections of the desktop window; no panel knows them. */
  connections: ['connections'],
} as const;

/** Share links, as texts and codes: made of the client, its inbounds, their hosts and nodes, and settings. */
const LINKS = [
  [...keys.clients, 'links'],
  [...keys.clients, 'codes'],
  [...keys.inbounds, 'links'],
];

/** What is fetched again when the server reports a changed resource. */
export const STALE_AFTER: Readonly<Record<Resource, readonly (readonly string[])[]>> = {
  // The checklist names the ports in use.
  inbounds: [keys.inbounds, keys.clients, keys.hosts, keys.core, keys.plans, [...keys.settings, 'checklist']],
  // Lists of inbounds count their clients by themselves.
  clients: [keys.clients, keys.groups, keys.plans, [...keys.inbounds, 'one'], [...keys.inbounds, 'links']],
  outbounds: [keys.outbounds, keys.core],
  nodes: [keys.nodes, ...LINKS],
  hosts: [keys.hosts, ...LINKS],
  groups: [keys.groups, keys.clients],
  settings: [keys.settings, keys.core, keys.events, ...LINKS],
  events: [keys.events],
  journal: [keys.journal],
};
