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

/** What is fetched again when the server reports a changed resource. */
export const STALE_AFTER: Readonly<Record<Resource, readonly (readonly string[])[]>> = {
  inbounds: [keys.inbounds, keys.clients, keys.core, keys.plans],
  clients: [keys.clients, keys.groups, keys.plans],
  outbounds: [keys.outbounds, keys.core],
  nodes: [keys.nodes],
  hosts: [keys.hosts],
  groups: [keys.groups, keys.clients],
  settings: [keys.settings, keys.core, keys.events],
  events: [keys.events],
  journal: [keys.journal],
};
